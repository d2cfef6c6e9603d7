import { readFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Load, LoadResult } from './load.ts';
import { median } from './table.ts';

/** A server under load. */
export interface Target {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly requests: readonly string[];
}

export interface Measured extends LoadResult {
  readonly perSecond: number;
  /** CPU time of the server's process per answer, workers and system included. */
  readonly cpuMicros: number;
}

/** Loads a server for some seconds from a process of its own. */
export async function measure(
  { name, port, pid, requests }: Target,
  { connections = 64, seconds = 2 } = {},
): Promise<Measured> {
  const before = cpuMsOf(pid);
  const result = await generate({ port, requests, connections, seconds });
  if (result.unexpected > 0) throw new Error(`${name}: ${result.unexpected} unexpected answers`);
  return {
    ...result,
    perSecond: result.answers / result.seconds,
    cpuMicros: ((cpuMsOf(pid) - before) * 1000) / result.answers,
  };
}

/**
 * Loads servers in turn, round after round, so that whatever else the machine does disturbs them alike.
 *
 * @param before what to wait for ahead of each
 * @returns for each server its rounds
 */
export async function inTurn(
  targets: readonly Target[],
  rounds: number,
  options?: { connections?: number; seconds?: number },
  before: () => Promise<void> = async () => {},
): Promise<Measured[][]> {
  const results = targets.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, target] of targets.entries()) {
      await before();
      results[index]?.push(await measure(target, options));
    }
  return results;
}

/** The middle of the ratios of one figure to that of the baseline in the same round. */
export function ratio(
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

/** CPU time that a process has taken, its threads included. Linux counts it in hundredths of a second. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
  return (pages * 4096) / 1_000_000;
}

/** Waits until a server has nothing left to do: no more than a tenth of a processor for half a second. */
export async function settled(pid: number): Promise<void> {
  for (let waits = 0; waits < 240; waits++) {
    const before = cpuMsOf(pid);
    await Bun.sleep(500);
    if (cpuMsOf(pid) - before <= 50) return;
  }
  throw new Error('the server is busy with itself');
}

async function generate(load: Load): Promise<LoadResult> {
  return Bun.which('wrk') === null ? await ownGenerator(load) : await wrk(load);
}

async function ownGenerator(load: Load): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'load.ts')], {
    stdin: new Blob([JSON.stringify(load)]),
    stdout: 'pipe',
  });
  return JSON.parse(await new Response(child.stdout).text()) as LoadResult; // load.ts prints it
}

// Several run at once.
let runs = 0;

async function wrk({ port, requests, connections, seconds }: Load): Promise<LoadResult> {
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
