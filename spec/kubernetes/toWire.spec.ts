import {
  V1Container,
  V1EnvVar,
  V1Lease,
  V1MicroTime,
  V1NetworkPolicyIngressRule,
  V1Pod,
} from '@kubernetes/client-node';
import { toWire } from '../../src/kubernetes/toWire.ts';
import { mutate } from '../../src/mutation/mutate.ts';

const made = <T extends object>(model: new () => T, members: object): T =>
  Object.assign(new model(), members);

describe('toWire', () => {
  it('gives times as strings, and plain data', () => {
    const pod = made(V1Pod, {
      kind: 'Pod',
      metadata: { name: 'a', resourceVersion: '1', creationTimestamp: new Date('2026-01-02T03:04:05Z') },
      spec: {
        containers: [
          made(V1Container, { name: 'c', env: [made(V1EnvVar, { name: 'X', value: undefined })] }),
        ],
      },
    });
    const wire = toWire(pod);
    expect(wire).toStrictEqual({
      kind: 'Pod',
      metadata: { name: 'a', resourceVersion: '1', creationTimestamp: '2026-01-02T03:04:05Z' },
      spec: { containers: [{ name: 'c', env: [{ name: 'X' }] }] },
    });
    expect(pod.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const { patch } = mutate(wire, (draft) => {
      draft.metadata = { ...draft.metadata, labels: { x: '1' } };
    });
    expect(patch).toHaveLength(2);
  });

  it('gives the names of the API', () => {
    const rule = made(V1NetworkPolicyIngressRule, { _from: [{ podSelector: {} }] });
    expect(toWire(rule)).toEqual({ from: [{ podSelector: {} }] });
  });

  it('takes what is plain already', () => {
    const plain = Object.assign(Object.create(null) as object, { a: [null, 1, { _from: 'x' }] });
    expect(toWire(plain)).toEqual({ a: [null, 1, { _from: 'x' }] });
  });

  it('keeps the six digits of a MicroTime', () => {
    const renewTime = new V1MicroTime('2026-01-02T03:04:05.123456Z');
    expect(toWire(made(V1Lease, { spec: { renewTime } })).spec?.renewTime).toMatch(
      /^2026-01-02T03:04:05\.123\d{3}Z$/,
    );
  });
});
