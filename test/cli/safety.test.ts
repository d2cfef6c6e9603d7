import { expect, test } from 'bun:test';
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { words } from '../support/words.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json, rows } = createCommands();

test('a failed download is reported by update and status', async () => {
  await waymark('safety source add feed https://127.0.0.1:1/list.txt');
  // The reason is on stderr, also beside what machines read.
  for (const form of ['', ' --json']) {
    const { exitCode, stdout, stderr } = await waymark(`safety update${form}`);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('feed')]);
    expect(stderr).toMatch(/^waymark: feed was not updated: The list could not be downloaded .*$/m);
  }
  expect(await json('safety status')).toMatchObject({
    sources: [
      { name: 'feed', url: 'https://127.0.0.1:1/list.txt', last_update: { outcome: 'failed' } },
    ],
  });
  const { stdout } = await waymark('safety status');
  expect(stdout).toMatch(/^feed {2}https:.* failed .*Z {2}The list could not be downloaded/m);
});

test('list shows imported lists and sources', async () => {
  await waymark('safety import - --source mine', { stdin: 'evil.example\nbad.example\n' });
  expect(await json('safety list')).toMatchObject([
    { name: 'feed', entries: null, imported_at: null, url: 'https://127.0.0.1:1/list.txt' },
    { name: 'mine', entries: 2, imported_at: expect.stringMatching(/Z$/), url: null },
  ]);
  const { stdout } = await waymark('safety list');
  expect(stdout).toMatch(
    /^NAME +ENTRIES +IMPORTED +ADDRESS\nfeed +never +https:.*\nmine +2 +\S+Z$/m,
  );
  await waymark('safety forget mine');
});

test('status and rules show lists, rules and sources', async () => {
  await waymark('safety block evil.example');
  await waymark('safety allow good.example');
  expect(await json('safety rules')).toMatchObject([
    { decision: 'block', expression: 'evil.example/', note: '' },
    { decision: 'allow', expression: 'good.example/', note: '' },
  ]);
  const { stdout } = await waymark('safety status');
  expect(stdout).toContain('Rules: 1 block, 1 allow.');
  expect(await json('safety status')).toMatchObject({
    lists: [],
    ...{ allowed: 1, blocked: 1, sources: [{ name: 'feed' }] },
  });
  for (const target of ['evil.example', 'good.example'])
    expect((await waymark(`safety remove ${target}`)).exitCode).toBe(0);
  expect((await waymark('safety remove evil.example')).exitCode).toBe(1);
});

test.skipIf(process.getuid?.() !== 0)(
  'files that root creates belong to the owner of the data folder',
  async () => {
    const data = join(folder, 'owned');
    mkdirSync(data);
    chownSync(data, 65_534, 65_534);
    await waymark('safety import - --source feed', {
      env: { WAYMARK_DATA: data },
      stdin: 'evil.example',
    });
    const owners = readdirSync(data).map((name) => [name, statSync(join(data, name)).uid]);
    expect(owners).toContainEqual(['waymark.db', 65_534]);
    expect(owners.filter(([, uid]) => uid !== 65_534)).toEqual([]);
  },
);

test('imports a list from standard input', async () => {
  const stdin = 'evil.example\nbad.example\n';
  const { stdout } = await waymark('safety import - --source piped', { stdin });
  expect(stdout).toStartWith('Imported 2 entries as "piped"');
  expect((await waymark('safety import - --source ../piped', { stdin })).exitCode).toBe(2);
  expect((await waymark('safety import - --source piped', { stdin: '' })).exitCode).toBe(1);
  expect(await waymark('safety import none.txt --source piped')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('none.txt cannot be read: no such file or folder (ENOENT)'),
  });
  const { stdout: status } = await waymark('safety status');
  expect(status).toContain('piped  2 entries');
});

test('without a database, commands that show something fail, and rules and lists create one', async () => {
  const elsewhere = { env: { WAYMARK_DATA: join(folder, 'mistyped') } };
  for (const line of ['rules', 'status', 'check https://evil.example/'])
    expect((await waymark(`safety ${line}`, elsewhere)).exitCode).toBe(1);
  expect((await waymark('safety block evil.example', elsewhere)).exitCode).toBe(0);
  expect((await waymark('safety rules', elsewhere)).stdout).toBe('block  evil.example/\n');
});

test.each([
  ['*.zip', 'Blocked zip/: every host that ends in .zip.\n', 'https://a.b.zip/x'],
  [
    '*.evil.example',
    'Blocked evil.example/: evil.example and all its subdomains.\n',
    'http://evil.example',
  ],
  ['evil.test', 'Blocked evil.test/: evil.test and all its subdomains.\n', 'https://a.evil.test/'],
  ['c.test/a/', 'Blocked c.test/a/: everything below this folder.\n', 'http://c.test/a/b'],
  ['http://b.test/a', 'Blocked b.test/a: this URL alone.\n', 'http://b.test/a'],
  ['192.0.2.9', 'Blocked 192.0.2.9/: this address.\n', 'http://192.0.2.9/x'],
])('block %s says what it blocks, and does', async (target, stdout, url) => {
  expect(await waymark(`safety block ${target}`)).toMatchObject({ exitCode: 0, stdout });
  expect((await waymark(`safety check ${url}`)).stdout).toStartWith(
    "flagged by the operator's rules",
  );
});

test.each([
  ...words('* *.*.zip *evil.example www.*.example *://evil.example https://*.evil.example/'),
  'evil.example/*',
])('the pattern %s is refused in words', async (target) => {
  expect(await waymark(`safety block ${target}`)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/is a pattern|neither a domain nor a URL/),
  });
});

test('a rule for a top-level domain has to be written out', async () => {
  expect(await waymark('safety allow *evil.example')).toMatchObject({ exitCode: 2 });
  expect(await waymark('safety block com')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('"com" alone would match every address that ends in .com.'),
  });
  expect(
    await rows("SELECT 1 FROM rules WHERE expression LIKE '%*%' OR expression = 'com/'"),
  ).toEqual([]);
});
