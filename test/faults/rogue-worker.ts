/** A worker whose job says how to break its thread. */
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

self.onmessage = ({ data: job }: MessageEvent<string>) => {
  const deed = deeds[job];
  if (deed !== undefined) return deed();
  self.postMessage({ ok: true, cpuMs: 0, value: `done: ${job}` });
  if (job === 'exit afterwards') setTimeout(() => process.exit(1), 20);
};
