import { readFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from '../support/processes.ts';

/** A server under load. */
export interface Target {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Whole HTTP requests, of which each connection sends one at random at a time. */
  readonly requests: readonly string[];
}

export interface LoadOptions {
  readonly connections?: number;
  /** Whole seconds. */
  readonly seconds?: number;
}

/** What wrk.lua prints after a run. */
interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses that are neither 2xx nor 3xx, and broken connections. */
  readonly unexpected: number;
}

export interface Measured extends LoadResult {
  readonly perSecond: number;
  /** CPU time of the server's process per response, workers and system included. */
  readonly cpuMicros: number;
}

/** Loads a server with wrk. @throws Error when wrk is missing, and on unexpected responses */
export async function measure(target: Target, options: LoadOptions = {}): Promise<Measured> {
  const before = cpuMsOf(target.pid);
  const result = await runWrk(target, options);
  if (result.unexpected > 0) {
    throw new Error(`${target.name}: ${result.unexpected} unexpected responses`);
  }
  return {
    ...result,
    perSecond: result.answers / result.seconds,
    cpuMicros: ((cpuMsOf(target.pid) - before) * 1000) / result.answers,
  };
}

/**
 * Loads servers alternately, so that other work on the machine disturbs all of them alike.
 *
 * @returns the rounds of each server
 */
export async function measureAlternately(
  targets: readonly Target[],
  rounds: number,
  options?: LoadOptions,
): Promise<Measured[][]> {
  const results = targets.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      results[index]?.push(await measure(target, options));
    }
  }
  return results;
}

/** Returns the median of the ratios of one figure to that of the baseline in the same round. */
export function medianRatio(
  figures: readonly Measured[],
  baseline: readonly Measured[],
  of: (result: Measured) => number,
): number {
  return median(
    figures.map((result, round) => {
      const base = baseline[round];
      return base === undefined ? Number.NaN : of(result) / of(base);
    }),
  );
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns a row with the medians of a server's rounds, and their ratios to those of a baseline. */
export function rowOf(
  name: string,
  rounds: readonly Measured[],
  base: readonly Measured[],
): string[] {
  const middle = (of: (result: Measured) => number) => median(rounds.map(of));
  return [
    name,
    middle(({ perSecond }) => perSecond).toFixed(0),
    medianRatio(rounds, base, ({ perSecond }) => perSecond).toFixed(2),
    middle(({ p50Ms }) => p50Ms).toFixed(2),
    middle(({ p99Ms }) => p99Ms).toFixed(2),
    medianRatio(rounds, base, ({ p99Ms }) => p99Ms).toFixed(1),
    middle(({ cpuMicros }) => cpuMicros).toFixed(1),
    medianRatio(rounds, base, ({ cpuMicros }) => cpuMicros).toFixed(2),
  ];
}

/** Prints rows as a Markdown table. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log(['', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
}

/** Returns the CPU time of a process with all its threads. Linux counts in hundredths of a second. */
export function cpuMsOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + cpuMsOfProcess(one), 0);
}

function cpuMsOfProcess(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Waits until a server uses at most a tenth of a processor for half a second. */
export async function waitUntilIdle(pid: number): Promise<void> {
  for (let waits = 0; waits < 240; waits++) {
    const before = cpuMsOf(pid);
    await Bun.sleep(500);
    if (cpuMsOf(pid) - before <= 50) return;
  }
  throw new Error('the server stays busy without load');
}

/** Distinguishes the request files of runs at the same time. */
let runs = 0;

async function runWrk(
  { port, requests }: Target,
  { connections = 64, seconds = 2 }: LoadOptions,
): Promise<LoadResult> {
  if (Bun.which('wrk') === null) {
    throw new Error('The benchmark needs wrk (Debian: apt install wrk).');
  }
  const file = join(tmpdir(), `waymark-bench-requests-${process.pid}-${runs++}`);
  await Bun.write(file, requests.join('\0'));
  const script = join(import.meta.dir, 'wrk.lua');
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script];
  const child = Bun.spawn(['wrk', ...flags, `http://127.0.0.1:${port}/`], {
    env: { ...process.env, BENCH_REQUESTS: file },
    stdout: 'pipe',
  });
  const printed = await new Response(child.stdout).text();
  await unlink(file);
  return JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as LoadResult; // wrk.lua prints it
}
