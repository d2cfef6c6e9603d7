import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedIn } from '../panel/client.ts';
import { headingOf, textOf } from '../panel/page.ts';
import { endlessWorkbook, hostileTexts, hostileWorkbooks } from '../support/hostile-files.ts';
import { programCommand } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

/** Bounds of the process that reads a file of 10 MB. The one of its CPU time has room for its start and end. */
const [maxCpuSeconds, maxRssBytes] = [11, 300_000_000];
// 128 and SIGKILL.
const killed = 137;
const exitCodes = { answered: 0, refused: 3 };

const tableJob = { name: 'tableFile', options: { isText: false } };
const linkJob = { name: 'linkFile', options: {} };

/** Reads a file as the server does. */
async function read({ name, options }: typeof tableJob | typeof linkJob, file: Uint8Array) {
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

async function expectBounded(
  job: typeof tableJob | typeof linkJob,
  file: Uint8Array,
  mayBeStopped = false,
) {
  const { exitCode, output, cpuSeconds, rssBytes } = await read(job, file);
  const codes: number[] = Object.values(exitCodes);
  // Objects with all different fields take more memory than there is.
  if (mayBeStopped) codes.push(killed);
  expect(codes).toContain(exitCode);
  if (exitCode === exitCodes.refused) expect(output).toMatch(/^[A-Z].{20,}\.$/s);
  expect(cpuSeconds).toBeLessThan(maxCpuSeconds);
  expect(rssBytes).toBeLessThan(maxRssBytes);
}

test.each(Object.entries(hostileWorkbooks))(
  'a workbook with %s is read or refused in words',
  async (_, create) => {
    await expectBounded(tableJob, create());
    await expectBounded(linkJob, create());
  },
);

const textBytes = 9_990_000;

test.each(Object.entries(hostileTexts))(
  '10 MB of %s are read or refused in words',
  async (name, create) => {
    const file = new TextEncoder().encode(create(textBytes));
    expect(file.length).toBeLessThanOrEqual(10_000_000);
    await expectBounded(tableJob, file);
    await expectBounded(linkJob, file, name === 'distinct fields');
  },
);

test('a workbook that takes minutes is stopped at a limit', async () => {
  const { exitCode, output, cpuSeconds, rssBytes } = await read(tableJob, endlessWorkbook());
  expect(exitCode).toBe(killed);
  expect(output).toBe('');
  expect(cpuSeconds).toBeLessThan(maxCpuSeconds);
  expect(rssBytes).toBeLessThan(maxRssBytes);
});

describe('a file that takes minutes', async () => {
  const message = 'This file takes too long to read. Save it as CSV.';
  const server = await startServer();
  afterAll(() => server.close());
  const { email } = await server.account('files@example.org');
  const file = new Uint8Array(endlessWorkbook());
  const path = join(server.folder, 'endless.xlsx');
  await Bun.write(path, file);

  test('is refused in words in the panel, while the server answers', async () => {
    const holder = await signedIn(server, 'uploads@example.org');
    const csrf = await holder.csrf();
    const upload = holder.post('/account/batches', { csrf, file: new Blob([file]) });
    expect((await visit(`${server.origin}/healthz`)).status).toBe(200);
    let { to, text } = await upload;
    const waiting = to ?? '';
    await until(async () => {
      if (waiting.startsWith('/account/working/')) ({ to, text } = await holder.get(waiting));
      return headingOf(text) !== 'Checking the table';
    });
    expect(textOf(text)).toContain(message);
  });

  test.each(['code', 'link'])('is refused in words by "%s import"', async (noun) => {
    const outcome = await server.cli([noun, 'import', path, '--account', email]);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });
});
