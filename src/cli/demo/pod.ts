import type { Pod } from '../../kubernetes/kinds.ts';

/** What makes one pod of the demo different from another. */
export interface PodFacts {
  readonly app: string;
  readonly namespace: string;
  readonly name: string;
  readonly replicaSet: string;
  readonly node: string;
  /** Its last octets. */
  readonly address: string;
  /** RFC 3339. */
  readonly time: string;
}

type PodStatus = NonNullable<Pod['status']>;

/** A pod as a deployment makes it, some 4 kB of JSON, before it is scheduled. */
export function podOf(facts: PodFacts): Pod {
  const { app, namespace, name, replicaSet, time } = facts;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName: `${replicaSet}-`,
      namespace,
      labels: {
        app,
        'app.kubernetes.io/name': app,
        'app.kubernetes.io/part-of': namespace,
        'pod-template-hash': replicaSet.slice(app.length + 1),
      },
      annotations: {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': '9090',
        'kubectl.kubernetes.io/restartedAt': time,
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: replicaSet,
          uid: '5d1c1b3c-8f0e-4a52-9d0e-2f6f0a1b7c11',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: managedFieldsOf(time),
    },
    spec: {
      containers: [containerOf(app), SIDECAR],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: app,
      securityContext: { runAsNonRoot: true, fsGroup: 65_532 },
      schedulerName: 'default-scheduler',
      tolerations: ['not-ready', 'unreachable'].map((condition) => ({
        key: `node.kubernetes.io/${condition}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
      volumes: [
        { name: 'config', configMap: { name: `${app}-config`, defaultMode: 420 } },
        { name: 'scratch', emptyDir: {} },
      ],
    },
    status: { phase: 'Pending', qosClass: 'Burstable' },
  };
}

const containerOf = (app: string) => ({
  name: app,
  image: imageOf(app),
  args: ['--listen=:8080', '--metrics=:9090', '--log-format=json', `--config=/etc/${app}/config.yaml`],
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } } },
    { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: `${app}-database`, key: 'url' } } },
  ],
  resources: { limits: { memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } },
  volumeMounts: [
    { name: 'config', mountPath: `/etc/${app}`, readOnly: true },
    { name: 'scratch', mountPath: '/tmp' },
  ],
  livenessProbe: {
    httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
    periodSeconds: 10,
    timeoutSeconds: 1,
    failureThreshold: 3,
  },
  readinessProbe: {
    httpGet: { path: '/readyz', port: 'http', scheme: 'HTTP' },
    periodSeconds: 5,
    timeoutSeconds: 1,
    failureThreshold: 3,
  },
  imagePullPolicy: 'IfNotPresent',
  securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
});

const SIDECAR = {
  name: 'proxy',
  image: 'registry.example.com/mesh/proxy:1.24.3',
  args: ['proxy', 'sidecar', '--domain=$(POD_NAMESPACE).svc.cluster.local', '--concurrency=2'],
  ports: [{ name: 'admin', containerPort: 15_000, protocol: 'TCP' }],
  resources: { limits: { memory: '128Mi' }, requests: { cpu: '50m', memory: '64Mi' } },
  imagePullPolicy: 'IfNotPresent',
};

const imageOf = (app: string): string => `registry.example.com/shop/${app}:2.7.1`;

const managedFieldsOf = (time: string) => [
  {
    manager: 'kube-controller-manager',
    operation: 'Update',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': { 'f:generateName': {}, 'f:labels': { '.': {}, 'f:app': {} }, 'f:ownerReferences': {} },
      'f:spec': { 'f:containers': {}, 'f:restartPolicy': {}, 'f:volumes': {} },
    },
  },
];

/** The scheduler has found a node. */
export const scheduled = ({ node, time }: PodFacts): Partial<Pod> => ({
  spec: { nodeName: node } as NonNullable<Pod['spec']>,
  status: { phase: 'Pending', conditions: [conditionOf('PodScheduled', true, time)] },
});

/** Its containers run, perhaps after so many restarts; `ready`: as the readiness probe has it. */
export function running(facts: PodFacts, ready: boolean, restarts: number): Partial<Pod> {
  const { address, time, app } = facts;
  return {
    status: {
      phase: 'Running',
      startTime: time,
      hostIP: '10.0.0.7',
      podIP: `10.244.${address}`,
      podIPs: [{ ip: `10.244.${address}` }],
      conditions: [
        conditionOf('PodScheduled', true, time),
        conditionOf('Initialized', true, time),
        conditionOf('ContainersReady', ready, time),
        conditionOf('Ready', ready, time),
      ],
      containerStatuses: [
        containerStatusOf(app, imageOf(app), time, ready, restarts),
        containerStatusOf(SIDECAR.name, SIDECAR.image, time, true, 0),
      ],
    },
  };
}

type Condition = NonNullable<PodStatus['conditions']>[number];
type ContainerStatus = NonNullable<PodStatus['containerStatuses']>[number];

const conditionOf = (type: string, holds: boolean, time: string): Condition => ({
  type,
  status: holds ? 'True' : 'False',
  lastTransitionTime: time,
});

const containerStatusOf = (
  name: string,
  image: string,
  startedAt: string,
  ready: boolean,
  restartCount: number,
): ContainerStatus => ({
  name,
  image,
  imageID: `${image.slice(0, image.indexOf(':'))}@sha256:${'4f'.repeat(32)}`,
  containerID: `containerd://${'b7'.repeat(32)}`,
  ready,
  started: true,
  restartCount,
  state: { running: { startedAt } },
});
