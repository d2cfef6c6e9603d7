import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  expectBounded,
  killed,
  linkJob,
  maxCpuSeconds,
  maxRssBytes,
  read,
  tableJob,
} from '../hostile/read-file.ts';
import { signedIn } from '../panel/client.ts';
import { textOf } from '../panel/page.ts';
import { endlessWorkbook, hostileTexts, hostileWorkbooks } from '../support/hostile-files.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

test.each(Object.entries(hostileWorkbooks))(
  'a workbook with %s is read or refused in words',
  async (_, create) => {
    await expectBounded(tableJob, create(1));
    await expectBounded(linkJob, create(1));
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
    const { text } = await upload;
    expect(textOf(text)).toContain(message);
  });

  test.each(['code', 'link'])('is refused in words by "%s import"', async (noun) => {
    const outcome = await server.cli([noun, 'import', path, '--account', email]);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });
});
