import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { isCompleteRun } from '../support/sample.ts';
import { createLaunches } from './launch.ts';

const { newPath, serve } = createLaunches();

/** Returns the largest memory that a process has used so far, in megabytes. */
function peakMegabytes(pid: number): number {
  const [, kilobytes] =
    /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

test.skipIf(process.platform !== 'linux' || !isCompleteRun)(
  'many sign-ins at once without an account need the memory of one, so that a server with 128 MB survives',
  async () => {
    const server = await serve(newPath());
    const signIn = async () => {
      const response = await fetch(`${server.origin}/account/sign-in`, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ email: 'ann@example.org', password: 'a few wrong words' }),
      });
      await response.text();
      return response.status;
    };
    await signIn();
    const beforeMegabytes = peakMegabytes(server.pid);
    const statuses = await Promise.all(Array.from({ length: 20 }, signIn));
    // Wrong, or told to wait.
    expect(new Set(statuses)).toEqual(new Set([422, 429]));
    // One more verification may begin before the memory of the last is returned.
    expect(peakMegabytes(server.pid) - beforeMegabytes).toBeLessThan(2 * 19);
    await server.stop();
  },
);
