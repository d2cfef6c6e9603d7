import { afterAll, expect, jest, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { plainDesign } from '../../src/core/designs/design.ts';
import { createRenderer } from '../../src/workers/renderer.ts';

const link = 'https://go.example.com/abcd1234';
const startRenderWorker = () =>
  new Worker(new URL('../../src/workers/worker.ts', import.meta.url).href);
// That of the tests, before a worker starts.
const niceness = getPriority();
const renderer = createRenderer({ startRenderWorker, workers: 2 });
afterAll(() => renderer.close());

test('checks readability and draws on a real worker', async () => {
  const { svgHash, ...verdict } = await renderer.checkImage(link, plainDesign);
  expect(await renderer.checkReadability(link, plainDesign)).toEqual(verdict);
  const readable = { isReadable: true, modules: 33, quietZoneModules: 4, advice: null };
  expect(verdict).toMatchObject(readable);
  const svg = await renderer.svg(link, plainDesign);
  expect(svgHash).toEqual(new Uint8Array(createHash('sha256').update(svg).digest()));
  const bytes = await renderer.png(link, plainDesign, 256);
  expect([...bytes.subarray(1, 4)]).toEqual([...'PNG'].map((letter) => letter.charCodeAt(0)));
});

test('a picture may take minutes while other programs use the processors', async () => {
  jest.useFakeTimers();
  try {
    const reply = Promise.withResolvers<(event: Event) => void>();
    const starvedWorker = () => ({
      postMessage: () => {},
      terminate: () => {},
      addEventListener: (type: string, listener: (event: Event) => void) => {
        if (type === 'message') reply.resolve(listener);
      },
    });
    const picture = createRenderer({ startRenderWorker: starvedWorker, workers: 1 }).svg(
      link,
      plainDesign,
    );
    jest.advanceTimersByTime(240_000);
    const value = new Uint8Array([1]);
    (await reply.promise)(new MessageEvent('message', { data: { ok: true, cpuMs: 1, value } }));
    expect(await picture).toBe(value);
  } finally {
    jest.useRealTimers();
  }
});

test('a job that fails rejects with its error, and the worker continues', async () => {
  await expect(renderer.checkReadability('x'.repeat(2000), plainDesign)).rejects.toThrow(
    'not a link to encode',
  );
  expect(await renderer.svg(link, plainDesign)).toBeInstanceOf(Uint8Array);
});

// Field 19 of a thread's state is its niceness (proc_pid_stat(5)).
test.skipIf(process.platform !== 'linux')('only workers have low priority', async () => {
  await renderer.svg(link, plainDesign);
  const nicenessOf = (thread: string) =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, 'latin1').split(') ')[1]?.split(' ')[16]);
  expect(readdirSync('/proc/self/task').map(nicenessOf)).toContain(Math.max(10, niceness));
  expect(nicenessOf(String(process.pid))).toBe(niceness);
});
