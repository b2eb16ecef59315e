/** A pod of a deployment, as the controllers of a cluster create it; which one depends on the index. */
export function podBody(index: number) {
  const app = pick(['web', 'api', 'worker', 'cache'], index);
  const hash = pick(['7c9d8b5f6c', '5d4b8c7f9d', '66b6c48dd5'], index);
  const name = `${app}-${hash}-${String(index).padStart(7, '0')}`;
  const labels = {
    app,
    'app.kubernetes.io/name': app,
    'app.kubernetes.io/version': `1.${String(index % 7)}.0`,
    'pod-template-hash': hash,
    ...(index % 3 === 0 ? { tier: 'frontend' } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName: `${app}-${hash}-`,
      labels,
      annotations: {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': '9090',
        ...(index % 4 === 0 ? { 'kubectl.kubernetes.io/restartedAt': '2026-01-05T07:12:09Z' } : {}),
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-${hash}`,
          uid: '0f3b0f5e-4a1b-4a8e-9d51-3c1f9f0a7b11',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [container(app, 8080, index % 3)],
      nodeName: `node-${String(index % 20).padStart(2, '0')}`,
      serviceAccountName: app,
      terminationGracePeriodSeconds: 30,
      tolerations: ['not-ready', 'unreachable'].map((key) => ({
        key: `node.kubernetes.io/${key}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      volumes: [{ name: 'config', configMap: { name: `${app}-config` } }],
    },
  };
}

/** What the kubelet of its node says of it once it runs. */
export function podStatus(index: number) {
  const { metadata, spec } = podBody(index);
  const time = '2026-01-05T07:12:33Z';
  return {
    phase: 'Running',
    hostIP: `10.0.0.${String(index % 20)}`,
    podIP: `10.1.${String(index % 20)}.${String(index % 250)}`,
    podIPs: [{ ip: `10.1.${String(index % 20)}.${String(index % 250)}` }],
    startTime: time,
    qosClass: 'Burstable',
    conditions: ['Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: time,
    })),
    containerStatuses: spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: `registry.example.com/${name}@sha256:${metadata.name.length.toString(16).padStart(64, 'a')}`,
      containerID: `containerd://${String(index).padStart(64, '0')}`,
      ready: true,
      started: true,
      restartCount: index % 3,
      state: { running: { startedAt: time } },
      lastState: {},
    })),
  };
}

function container(app: string, port: number, variables: number) {
  return {
    name: app,
    image: `registry.example.com/${app}:1.4.2`,
    imagePullPolicy: 'IfNotPresent',
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    env: Array.from({ length: variables }, (_, i) => ({
      name: `SETTING_${String(i)}`,
      value: `${app}-${String(i)}`,
    })),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/config', readOnly: true }],
  };
}

function pick(values: readonly string[], index: number): string {
  return values[index % values.length] ?? '';
}
