import { codeOf } from '../stores/many-qrs.ts';

/** How long the redirects of one client took. */
export interface Sampled {
  readonly count: number;
  /** How many were answered, with those before the sample. */
  readonly answered: number;
  readonly maxMs: number;
  readonly p99Ms: number;
  readonly durationMs: number;
  /** What answered instead of a redirect, the first ones. */
  readonly failed: readonly string[];
}

const intervalMs = 5;
const shownFailures = 5;

/**
 * Follows links of codes while a function runs, one every few milliseconds, each on a connection of its own as a phone
 * does. A process of its own does, so that what the function does in this one delays nothing. A server that starts
 * meanwhile is sampled from its first redirect on.
 *
 * @param codes how many of the codes of `addManyQrs` there are
 */
export async function sampleWhile(
  origin: string,
  codes: number,
  run: () => Promise<unknown>,
): Promise<Sampled> {
  const sampler = Bun.spawn([process.execPath, import.meta.path, origin, String(codes)], {
    stdin: 'pipe',
    stdout: 'pipe',
  });
  const lines = sampler.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    await lines.read();
    await run();
    await sampler.stdin.end();
    let printed = '';
    for (let part = await lines.read(); !part.done; part = await lines.read())
      printed += part.value;
    return JSON.parse(printed) as Sampled; // printed below
  } finally {
    sampler.kill('SIGKILL');
  }
}

/** Samples until stdin ends, and prints {@link Sampled}. */
async function sample(origin: string, codes: number): Promise<void> {
  let isDone = false;
  const input = (async () => {
    for await (const _ of Bun.stdin.stream()) void _;
    isDone = true;
  })();
  let answered = 0;
  const follow = async (number: number): Promise<string | null> => {
    const url = `${origin}/${codeOf((number * 7919) % codes)}`;
    try {
      const { status } = await fetch(url, { redirect: 'manual', keepalive: false });
      if (status !== 302) return String(status);
      answered++;
      return null;
    } catch (error) {
      return String(error);
    }
  };
  // The first request of a process takes long.
  await fetch('http://127.0.0.1:1').catch(() => {});
  console.log('ready');
  while (!isDone && (await follow(0)) !== null) await Bun.sleep(1);
  const times: number[] = [];
  const failed: string[] = [];
  const startMs = performance.now();
  for (let number = 1; !isDone; number++) {
    const beginMs = performance.now();
    const failure = await follow(number);
    times.push(performance.now() - beginMs);
    if (failure !== null) failed.push(failure);
    await Bun.sleep(intervalMs);
  }
  const durationMs = performance.now() - startMs;
  await input;
  times.sort((a, b) => a - b);
  const [maxMs = 0, p99Ms = 0] = [times.at(-1), times[Math.floor(times.length * 0.99)]];
  const sampled: Sampled = {
    count: times.length,
    answered,
    maxMs,
    p99Ms,
    durationMs,
    failed: failed.slice(0, shownFailures),
  };
  console.log(JSON.stringify(sampled));
}

if (import.meta.main) {
  const [origin = '', codes] = process.argv.slice(2);
  await sample(origin, Number(codes));
  process.exit();
}
