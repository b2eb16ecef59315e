// npx ts-node bench/capture.ts: writes the pods that the bench is made of anew, from a real kube-apiserver.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { FIXTURE } from './pods.ts';
import { RealPods } from './realPods.ts';

const DISTINCT = 36;

async function capture(): Promise<void> {
  const server = await RealPods.start();
  try {
    await server.create(DISTINCT);
    const lines = await server.lines();
    writeFileSync(FIXTURE, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    console.log(`${String(lines.length)} pods of ${String(Math.round(bytes / lines.length))} bytes each`);
  } finally {
    await server.close();
  }
}

void capture();
