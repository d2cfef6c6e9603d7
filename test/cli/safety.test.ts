import { expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();

/** Leaves half a record where a whole one was, as a failing disk may. */
function damageOnly(kind: 'entries' | 'sources'): string {
  const records = join(folder, 'data', 'safety', kind);
  const [name = ''] = readdirSync(records);
  writeFileSync(join(records, name), '{"half');
  return name;
}

test('status says why a list could not be fetched', async () => {
  await waymark('safety source add feed https://127.0.0.1:1/list.txt');
  // The reason is on stderr, also beside what machines read.
  for (const form of ['', ' --json']) {
    const { exitCode, stdout, stderr } = await waymark(`safety update${form}`);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('feed')]);
    expect(stderr).toMatch(/^waymark: feed was not updated: The list could not be fetched .*$/m);
  }
  expect(await json('safety source list')).toMatchObject([
    { name: 'feed', url: 'https://127.0.0.1:1/list.txt', last_update: { outcome: 'failed' } },
  ]);
  const listed = await waymark('safety source list');
  expect(listed.stdout).toMatch(/^feed {2}https:.* failed .*Z {2}The list could not be fetched/);
  const { stdout } = await waymark('safety status');
  expect(stdout).toMatch(/^feed {2}https:.* failed .*Z {2}The list could not be fetched/m);
});

test('status tells of damaged entries and sources, and the entries of damaged ones', async () => {
  await waymark('safety block evil.example');
  const [entry, source] = [damageOnly('entries'), damageOnly('sources')];
  const { stdout } = await waymark('safety status');
  expect(stdout).toContain(`PROBLEM: The entry in safety/entries/${entry} is damaged.`);
  expect(stdout).toContain(`PROBLEM: The source in safety/sources/${source} is damaged.`);
  expect(await json('safety status')).toMatchObject({
    damaged_entries: [entry],
    damaged_sources: [source],
  });
  const { exitCode, stderr } = await waymark('safety entries');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: `Warning: damaged in safety/entries: ${entry}.\n`,
  });
});

test('a list comes through a pipe as well', async () => {
  const stdin = 'evil.example\nbad.example\n';
  const { stdout } = await waymark('safety import - --source piped', { stdin });
  expect(stdout).toStartWith('Imported 2 entries as "piped"');
  expect((await waymark('safety import - --source ../piped', { stdin })).exitCode).toBe(1);
  expect((await waymark('safety import - --source piped', { stdin: '' })).exitCode).toBe(1);
  const { stdout: status } = await waymark('safety status');
  expect(status).toContain('piped  2 entries');
});

test('a folder that no server uses is told of, whether its lists are read or written', async () => {
  const elsewhere = { env: { WAYMARK_DATA: join(folder, 'mistyped') } };
  for (const line of ['block evil.example', 'entries', 'status', 'check https://evil.example/'])
    expect(await waymark(`safety ${line}`, elsewhere)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^Warning: there is no database in .*mistyped, .*WAYMARK_DATA/),
    });
  expect((await waymark('account create a@example.org', elsewhere)).exitCode).toBe(0);
  expect((await waymark('safety block evil.example', elsewhere)).stderr).toBe('');
});

test('a rule for a whole top-level domain has to be spelled out, and none is for the server itself', async () => {
  const config = { env: { WAYMARK_PUBLIC_URL: 'https://qr.example.com' } };
  for (const verb of ['block', 'allow']) {
    expect(await waymark(`safety ${verb} com`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('"com" alone stands for every address that ends in .com.'),
    });
    expect(await waymark(`safety ${verb} qr.example.com`, config)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('"qr.example.com" is this server itself.'),
    });
  }
  const { stdout } = await waymark('safety entries');
  expect(stdout).not.toContain('com');
});
