import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createCode, createPanelClient, password, signedIn } from '../panel/client.ts';
import { codeOf, turnOn } from '../panel/second-factor.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

const server = await startServer();
afterAll(() => server.close());

/** An entry as the command prints it. */
interface Entry {
  readonly at: string;
  readonly by: string;
  readonly kind: string;
  readonly code: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly object?: string;
  readonly count?: number;
}

/** Returns the activity of an account, newest first. */
async function activityOf(email: string, ...options: string[]): Promise<Entry[]> {
  const { stdout } = await server.cli(['activity', email, '--json', ...options]);
  return JSON.parse(stdout);
}
const kindsOf = async (email: string) => (await activityOf(email)).map(({ kind }) => kind);

test('creates and edits by the API are under the end of the key; reads, retries and scans are not there', async () => {
  const email = 'api@activity.example';
  const { key } = await server.account(email);
  const api = server.api(key);
  const retry = { 'Idempotency-Key': 'one' };
  for (let sent = 0; sent < 2; sent++)
    await api.call('POST /qrs', { url: 'https://example.com/a' }, retry);
  const { code = '', url = '' } = (await api.list()).data[0] ?? {};
  for (let sent = 0; sent < 2; sent++)
    await api.call(`PATCH /qrs/${code}`, { url: 'https://example.com/b' });
  await visit(url);
  await api.call(`GET /qrs/${code}/stats`);

  const by = `API key …${key.slice(-4)}`;
  const [edited, created, ...others] = await activityOf(email);
  if (edited === undefined || created === undefined) throw new Error('entries are missing');
  expect(edited).toEqual({
    ...{ at: expect.stringMatching(/^\d{4}-.*Z$/), by, kind: 'destination-changed', code },
    ...{ before: 'https://example.com/a', after: 'https://example.com/b' },
  });
  expect(created).toMatchObject({ by, kind: 'code-created', code, before: null });
  expect(others.map(({ kind }) => kind)).toEqual(['key-made', 'account-created']);
  expect(await activityOf(email, '--code', code)).toEqual([edited, created]);
  expect(await activityOf(email, '--code', url)).toHaveLength(2);
  expect(await activityOf(email, '--since', edited.at)).toEqual([edited]);
  expect(await activityOf(email, '--since', '2099-01-01')).toEqual([]);
  const { stdout } = await server.cli(['activity', email]);
  expect(stdout).toContain(
    `${by} changed the destination of ${code}: https://example.com/a → https://example.com/b`,
  );
});

test('the command refuses another account, its codes, and what is no date', async () => {
  const { key } = await server.account('theirs@activity.example');
  const { code } = await server.api(key).create();
  await server.account('ours@activity.example');
  const refusal = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await server.cli(['activity', ...args]);
    expect(stdout).toBe('');
    return [exitCode, stderr];
  };
  expect(await refusal('nobody@activity.example')).toEqual([1, expect.stringContaining('no acc')]);
  expect(await refusal('ours@activity.example', '--code', code)).toEqual([
    1,
    expect.stringContaining(`ours@activity.example has no code "${code}"`),
  ]);
  for (const since of ['yesterday', '2026-02-30', '2026-13-01', ''])
    expect(await refusal('ours@activity.example', '--since', since)).toEqual([
      2,
      expect.stringContaining('It must be a day'),
    ]);
});

describe('the panel', () => {
  const email = 'ann@activity.example';
  const by = email;

  test('has what its person does to codes, folders and designs', async () => {
    const ann = await signedIn(server, email);
    const post = async (path: string, fields: Record<string, string> = {}) => {
      const answer = await ann.post(`/account/${path}`, { csrf: await ann.csrf(), ...fields });
      expect([path, answer.status]).toEqual([path, 303]);
    };
    const code = await createCode(ann, 'https://example.com/', { name: 'Door' });
    await post(`codes/${code}/destination`, { url: 'https://example.org/' });
    await post(`codes/${code}/labels`, { name: 'Gate', folder: 'Menus', note: 'left', path: 'g' });
    for (const change of ['pause', 'resume', 'archive', 'unarchive'])
      await post(`codes/${code}/${change}`);
    await post('folders/rename', { folder: 'Menus', name: 'Cards' });
    await post('folders/remove', { folder: 'Cards' });
    const second = await createCode(ann, 'https://example.com/2');
    await post('selection/apply', { all: 'yes', do: 'pause' });
    await post('selection/undo');
    const entries = (await activityOf(email)).toReversed();
    expect(entries.filter((entry) => entry.by !== by).map(({ kind }) => kind)).toEqual([
      'account-created',
    ]);
    const ofCode = (await activityOf(email, '--code', code)).toReversed();
    expect(ofCode.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['code-created', null, 'https://example.com/'],
      ['destination-changed', 'https://example.com/', 'https://example.org/'],
      ['path-changed', null, 'g'],
      ['name-changed', 'Door', 'Gate'],
      ['label-changed', null, 'left'],
      ['folder-changed', null, 'Menus'],
      ['code-paused', null, null],
      ['code-resumed', null, null],
      ['code-archived', null, null],
      ['code-unarchived', null, null],
    ]);
    const ofMany = entries.filter(({ count }) => count !== undefined);
    expect(ofMany.map(({ kind, before, after, count }) => [kind, before, after, count])).toEqual([
      ['folder-renamed', 'Menus', 'Cards', 1],
      ['folder-removed', 'Cards', null, 1],
      ['codes-paused', null, null, 2],
      ['codes-edit-undone', null, null, 2],
    ]);
    expect(await activityOf(email, '--code', second)).toHaveLength(1);
  });

  test('has sign-ins, wrong codes, keys and settings, and no secret', async () => {
    const email = 'safe@activity.example';
    const ann = await signedIn(server, email);
    const post = async (path: string, fields: Record<string, string> = {}) =>
      ann.post(`/account/${path}`, { csrf: await ann.csrf(), ...fields });
    await post('key', { replaces: '', password });
    await post('key/revoke');
    await post('settings/time-zone', { zone: 'Europe/Rome' });
    await post('settings/visitors', { business: 'Osteria', message: '', link: '' });
    const { secret } = await turnOn(ann, password);
    const other = createPanelClient(server.origin);
    const { text } = await other.post('/account/sign-in', { email, password });
    const proof = /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';
    await other.post('/account/sign-in/code', { proof, code: '000000' });
    await other.post('/account/sign-in/code', { proof, code: codeOf(secret, 1) });
    await server.cli(['account', 'link', email]);
    await server.cli(['account', 'second-factor', email, '--reset']);
    expect((await kindsOf(email)).toReversed()).toEqual([
      ...['account-created', 'signed-in', 'key-made', 'key-revoked', 'time-zone-changed'],
      ...['visitor-texts-changed', 'second-factor-on', 'second-factor-failed', 'signed-in'],
      ...['browser-added', 'sign-in-link-made', 'second-factor-off'],
    ]);
    const all = JSON.stringify(await activityOf(email));
    for (const hidden of [password, secret, '000000', 'Osteria']) expect(all).not.toContain(hidden);
  });
});

test('an operator is named in the account that he works on, and a planned change as what it is', async () => {
  const { key } = await server.account('owner@activity.example');
  const { code } = await server.api(key).create();
  const operator = await signedIn(server, 'op@activity.example', { isOperator: true });
  const csrf = await operator.csrf();
  await operator.post(`/account/safety/codes/${code}/block`, { csrf, reason: 'A fake bank' });
  await operator.post(`/account/safety/codes/${code}/unblock`, { csrf });
  await server.onStores(async ({ accounts, schedule, qrs }) => {
    const account = await accounts.findByEmail('owner@activity.example');
    const qr = account && (await qrs.find(account.id, code));
    if (!qr) throw new Error('the code is missing');
    const now = { firstLocal: '2026-01-01T12:00', every: null, nextMs: 1, createdAtMs: Date.now() };
    const pause = { ...now, action: 'pause', destination: null, scheduledById: null } as const;
    const codes = { accountId: account.id, qrIds: [qr.id] };
    await schedule.add(codes, () => [pause], { maxPerCode: 20 });
  });
  const entries = () => activityOf('owner@activity.example', '--code', code);
  await until(async () => (await entries()).length === 5);
  expect((await entries()).toReversed()).toMatchObject([
    { kind: 'code-created' },
    { kind: 'code-blocked', by: 'operator', after: 'A fake bank' },
    { kind: 'code-unblocked', by: 'operator' },
    { kind: 'plan-added', by: 'command line', object: 'pause', before: '2026-01-01T12:00' },
    { kind: 'code-paused', by: 'planned change' },
  ]);
});

test('a table, an import and a print are one entry each, with their number', async () => {
  const email = 'many@activity.example';
  await server.account(email);
  const file = (name: string) => join(server.folder, name);
  await Bun.write(
    file('codes.csv'),
    'name,url\nA,https://example.com/1\nB,https://example.com/2\n',
  );
  await Bun.write(file('links.csv'), 'path,destination\nmenu-activity,https://example.com/3\n');
  await server.cli(['code', 'import', file('codes.csv'), '--account', email]);
  await server.cli(['link', 'import', file('links.csv'), '--account', email]);
  const sheet = [
    'code',
    'sheet',
    '--account',
    email,
    '--layout',
    'a4-grid',
    '--out',
    file('a.pdf'),
  ];
  await server.cli(sheet);
  expect((await activityOf(email)).toReversed().slice(2)).toMatchObject([
    { by: 'command line', kind: 'table-started', count: 2 },
    { by: 'command line', kind: 'links-imported', count: 1 },
    { by: 'command line', kind: 'codes-printed', count: 2 },
  ]);
});

test('an export as JSON has the activity of each code', async () => {
  const email = 'export@activity.example';
  const { key } = await server.account(email);
  const { code } = await server.api(key).create('https://example.com/old');
  for (let at = 0; at < 60; at++)
    await server.api(key).call(`PATCH /qrs/${code}`, { url: `https://example.com/${at}` });
  const { stdout } = await server.cli(['export', '--account', email, '--format', 'json']);
  const [record] = JSON.parse(stdout);
  const entries = (await activityOf(email, '--code', code)).map(({ code: _, ...entry }) => entry);
  expect(entries).toHaveLength(61);
  expect(record).toMatchObject({ code, activity: entries.slice(0, 50) });
  const { stdout: csv } = await server.cli(['export', '--account', email, '--format', 'csv']);
  expect(csv).not.toContain('key');
});

test('a backup has the activity, and a deleted account has none', async () => {
  const email = 'gone@activity.example';
  await server.account(email);
  const backup = join(server.folder, 'activity.db');
  await server.cli(['backup', backup]);
  const restored = join(server.folder, 'restored');
  await server.cli(['restore', backup, '--data', restored]);
  const { stdout } = await server.cli(['activity', email, '--json', '--data', restored]);
  expect(JSON.parse(stdout)).toEqual(await activityOf(email));
  await server.cli(['account', 'delete', email, '--yes']);
  await server.account(email);
  expect(await kindsOf(email)).toEqual(['key-made', 'account-created']);
});
