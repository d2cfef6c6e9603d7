import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { cliSentence } from '../../src/cli/sentences/sentences.ts';
import { programCommand } from '../support/program.ts';

/** Bounds of the process that reads a file of 10 MB. The one of its CPU time has room for its start and end. */
export const [maxCpuSeconds, maxRssBytes] = [11, 300_000_000];
// 128 and SIGKILL.
export const killed = 137;
const exitCodes = { answered: 0, refused: 3 };

export const tableJob = { name: 'tableFile', options: { isText: false } };
export const linkJob = { name: 'linkFile', options: {} };

/** Reads a file as the server does. */
export async function read({ name, options }: typeof tableJob | typeof linkJob, file: Uint8Array) {
  const command = [...programCommand(), 'read-file', name, JSON.stringify(options)];
  const child = Bun.spawn(command, {
    stdin: file,
    stderr: 'ignore',
    env: { ...process.env, BUN_JSC_forceRAMSize: '200000000' },
  });
  let rssBytes = 0;
  const timer = setInterval(() => {
    rssBytes = Math.max(rssBytes, peakRssBytes(child.pid));
  }, 5);
  const output = await new Response(child.stdout).text();
  const exitCode = await child.exited;
  clearInterval(timer);
  const cpuSeconds = Number(child.resourceUsage()?.cpuTime.total) / 1e6;
  return { exitCode, output, cpuSeconds, rssBytes };
}

/** Returns the most memory that a process had, which `resourceUsage` mixes with that of its parent. */
function peakRssBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Expects that a file is read, or refused in words, within the bounds of 10 MB. */
export async function expectBounded(
  job: typeof tableJob | typeof linkJob,
  file: Uint8Array,
  mayBeStopped = false,
) {
  const { exitCode, output, cpuSeconds, rssBytes } = await read(job, file);
  const codes: number[] = Object.values(exitCodes);
  // Objects with all different fields take more memory than there is.
  if (mayBeStopped) codes.push(killed);
  expect(codes).toContain(exitCode);
  if (exitCode === exitCodes.refused)
    expect(cliSentence(JSON.parse(output))).toMatch(/^[A-Z].{20,}\.$/s);
  expect(cpuSeconds).toBeLessThan(maxCpuSeconds);
  expect(rssBytes).toBeLessThan(maxRssBytes);
}
