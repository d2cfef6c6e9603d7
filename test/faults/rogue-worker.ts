import { type Request, ready } from '../../src/render/worker/messages.ts';

/** A worker that does to its thread whatever it is told to. */
declare const self: Worker;

const deeds: Readonly<Record<string, () => void>> = {
  throw: () => {
    throw new Error('thrown in a worker');
  },
  reject: () => void Promise.reject(new Error('rejected in a worker')),
  exit: () => process.exit(1),
  'run out of memory': () => void new ArrayBuffer(2 ** 52),
  'overflow the stack': () => {
    const descend = (): number => 1 + descend();
    descend();
  },
  hang: () => {
    for (;;);
  },
  'say nothing': () => {},
};

self.onmessage = ({ data: { id, job } }: MessageEvent<Request<string>>) => {
  const deed = deeds[job];
  if (deed !== undefined) return deed();
  self.postMessage({ id, ok: true, value: `done: ${job}` });
};
self.postMessage(ready);
