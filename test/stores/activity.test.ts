import { expect, test } from 'bun:test';
import type { ActivityFilter } from '../../src/core/accounts/activity/ports.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import { createFolders, storesOn } from './folder.ts';
import { planOf, statementsOf } from './many-qrs.ts';
import {
  acting,
  addOwner,
  addQr,
  beginBulkEdit,
  command,
  newBatch,
  newLink,
  newQr,
  newSignIn,
  noon,
} from './rows.ts';

const { newFolder, openIn } = createFolders();
const database = openIn(newFolder());
const { $client } = database;
const stores = storesOn(database);
const owner = await addOwner(stores, { passwordHash: 'hash' });
const qr = await addQr(stores, owner, { folder: 'Menus' });
const act = acting(owner.accountId);
const { accountId, designId } = owner;
const edit = {
  qrId: qr.id,
  code: qr.code,
  before: 'listed',
  after: 'archived',
  needsRecheck: false,
};
const bulkEditId = await beginBulkEdit(stores, act, { kind: 'archive' }, [edit]);
await stores.savedDesigns.save(act, 'Mine', plainDesign, noon);
await stores.keys.replace(act, 'key', 'abcd', noon);
const draftId = await stores.batches.add(newBatch(owner, { state: 'draft' }));
const { added } = await stores.schedule.add(
  { accountId, qrIds: [qr.id] },
  () => [
    {
      ...{ action: 'pause', destination: null, firstLocal: '2026-06-02T12:00', every: null },
      ...{ nextMs: noon, scheduledById: null, createdAtMs: noon },
    },
  ],
  { maxPerCode: 20 },
);
const scheduledId = added[0]?.id ?? 0;

await stores.domains.add('https://go.example', {}, command, noon);
const users = { accountIds: [accountId] };
await stores.domains.add('https://used.example', users, command, noon);

/** Changes that are recorded, each as a call that changes something. */
const changes: Readonly<Record<string, () => Promise<unknown>>> = {
  create: () => stores.qrs.insert(newQr(owner), null, command),
  destination: () => stores.qrs.changeDestination(act, qr.code, 'https://b/', noon),
  labels: () => stores.qrs.changeLabels(act, qr.code, { name: 'New' }, noon),
  path: () => stores.qrs.changeLabels(act, qr.code, { path: 'new-path' }, noon),
  status: () => stores.qrs.changeStatus(act, qr.code, 'active', 'paused', noon),
  block: () => stores.flags.setBlocked(command, qr.code, true, noon),
  folder: () => stores.codeLists.renameFolder(act, 'Menus', 'Cards', noon),
  'bulk edit': () => stores.bulkEdits.make(bulkEditId, [edit], [], noon),
  table: () => stores.batches.add(newBatch(owner)),
  'start of a table': () => stores.batches.start(act, draftId, { designId, folder: null }, noon),
  import: () => stores.linkImports.add(act, [newLink('imported')], noon),
  design: () => stores.designs.add(act, plainDesign, noon),
  'saved design': () => stores.savedDesigns.save(act, 'Other', plainDesign, noon),
  'renamed design': () => stores.savedDesigns.rename(act, 'Mine', 'Yours', noon),
  'removed design': () => stores.savedDesigns.remove(act, 'Mine', noon),
  plan: () => stores.schedule.remove(act, qr.id, scheduledId, noon),
  'planned change': () =>
    stores.schedule.make([qr.id], noon, ({ destination }) => ({
      ...{ destination, status: 'paused', former: [], needsRecheck: false },
      ...{ over: [scheduledId], kept: [] },
    })),
  key: () => stores.keys.replace(act, 'other key', 'wxyz', noon),
  'revoked key': () => stores.keys.revoke(act, noon),
  'sign-in': () => stores.credentials.signIn(accountId, 'hash', newSignIn('one', noon), null),
  'signing out': () => stores.sessions.removeAll(act, noon),
  password: () => stores.accounts.changePassword(act, 'next', noon),
  link: () => stores.signInLinks.add('link', act, noon + 1, noon),
  'second factor': () => stores.secondFactors.add(accountId, 'secret', 1, ['a'], noon),
  plan_end: () => stores.accounts.changePlan(act, noon, noon),
  zone: () => stores.accounts.changeTimeZone(act, 'Europe/Rome', noon),
  texts: () => stores.accounts.changePausedTexts(act, { businessName: 'Osteria' }, noon),
  domain: () => stores.domains.setDefault(act, 'https://go.example', noon),
  'domain of a folder': () => stores.domains.setFolderDefault(act, 'Menus', null, noon),
  'accounts of a domain': () =>
    stores.domains.set('https://go.example', { accountIds: [accountId] }, command, noon),
  'removed domain': () => stores.domains.remove('https://used.example', command, noon),
  operator: () => stores.accounts.changeOperator(act, true, noon),
  email: () => stores.accounts.changeEmail(act, 'moved@example.com', noon),
  account: () => addOwner(stores),
};

/** Returns the rows of all tables. */
function content(): string {
  const tables = $client
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all();
  const rows = tables.map(({ name }) => [name, $client.query(`SELECT * FROM ${name}`).all()]);
  return JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? value.toHex() : value));
}

test.each(Object.entries(changes))(
  '%s: a change whose entry cannot be written is not made',
  async (_, change) => {
    const before = content();
    $client.run(
      "CREATE TRIGGER refuse BEFORE INSERT ON activity BEGIN SELECT raise(ABORT, 'refused'); END",
    );
    try {
      await expect(change()).rejects.toThrow();
    } finally {
      $client.run('DROP TRIGGER refuse');
    }
    expect(content()).toBe(before);
  },
);

test.each(Object.entries(changes))(
  '%s: an entry stands only with its change',
  async (_, change) => {
    const before = content();
    // Refuses at the end of the transaction what was written in it.
    $client.run('PRAGMA foreign_keys = ON');
    $client.run(
      'CREATE TABLE refused (id INTEGER REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED)',
    );
    $client.run(
      'CREATE TRIGGER refuse AFTER INSERT ON activity BEGIN INSERT INTO refused VALUES (-1); END',
    );
    try {
      await expect(change()).rejects.toThrow();
    } finally {
      $client.run('DROP TRIGGER refuse');
      $client.run('DROP TABLE refused');
    }
    expect(content()).toBe(before);
  },
);

test('each page, and the list of who did something, is read along an index of its filter, without sorting', async () => {
  const { activity } = storesOn(database);
  const by = { kind: 'key', lastFour: 'abcd' } as const;
  const plansOf = async (run: () => Promise<unknown>) => {
    const statements = await statementsOf($client, run);
    const own = statements.filter((sql) => sql.includes('from "activity"'));
    return [...new Set(own.flatMap((sql) => planOf($client, sql)))];
  };
  const page = (filter: ActivityFilter) => () => activity.page(accountId, filter, null, 50);
  const byTopic =
    'SEARCH activity USING INDEX activity_by_topic (account_id=? AND topic=? AND id<?)';
  const byActor =
    'SEARCH activity USING INDEX activity_by_actor (account_id=? AND actor=? AND topic=? AND id<?)';
  expect(await plansOf(page({}))).toEqual([byTopic]);
  expect(await plansOf(page({ by }))).toEqual([byActor]);
  // Other filters run the same statements.
  expect(await plansOf(page({ topic: 'designs' }))).toEqual([]);
  expect(await plansOf(page({ by, topic: 'designs' }))).toEqual([]);
  expect(await plansOf(page({ qrId: qr.id }))).toEqual([
    'SEARCH activity USING INDEX activity_by_code (qr_id=? AND id<?)',
  ]);
  expect(await plansOf(() => activity.actors(accountId, 10))).toEqual([
    'SEARCH activity USING COVERING INDEX activity_by_actor (account_id=? AND actor>?)',
  ]);
});
