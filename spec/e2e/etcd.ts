/**
 * Makes an etcd forget what was before its current revision, and resolves with that revision.
 *
 * Errors: whatever etcd refuses, in its own words; not that it has forgotten all of that already.
 */
export async function compact(etcd: string): Promise<string> {
  const { header } = (await ask(`${etcd}/v3/kv/range`, { key: base64('\0') })) as {
    header: { revision: string };
  };
  const { revision } = header;
  await ask(`${etcd}/v3/kv/compaction`, { revision, physical: true }).catch((error: unknown) => {
    if (!String(error).includes('revision has been compacted')) throw error;
  });
  return revision;
}

/** etcd speaks gRPC; its gateway on the same port takes JSON, with keys in base64. */
async function ask(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd answered ${String(response.status)}: ${await response.text()}`);
  return response.json();
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
