/** A kubeconfig of one cluster, one user and one context, all named alike. JSON is YAML too. */
export function kubeconfigOf(server: string, token: string | undefined): string {
  const name = 'rx-informer';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    // client-node's own API clients refuse plain HTTP without it.
    clusters: [{ name, cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
