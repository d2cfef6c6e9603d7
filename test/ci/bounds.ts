import { expect, test } from 'bun:test';
import type { CodeEdit } from '../../src/core/batches/bulk-edit.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import type { Stores } from '../../src/core/storage.ts';
import { yieldToEventLoop } from '../../src/lib/event-loop.ts';
import { createFolders, storesOn } from '../stores/folder.ts';
import { fillLargeAccount } from '../stores/large-account.ts';
import {
  acting,
  addOwner,
  batchesOf,
  beginBulkEdit,
  command,
  newBatch,
  newInvitation,
  newLink,
  newQr,
  newRow,
  newScheduledChange,
  newSignIn,
  noon,
} from '../stores/rows.ts';

const codes = 200_000;
const nowMs = Date.UTC(2026, 5, 1);
const wholeWindow = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER, lateMs: 0 };
const far = 1_000_000_000;
/** What no input that reaches a store is longer than. */
const longText = 'x'.repeat(2000);

const { newFolder, openIn } = createFolders();
const database = openIn(newFolder());
const { $client } = database;
const stores = storesOn(database);
const owner = await addOwner(stores, { email: 'large@example.com', passwordHash: 'hash' });
const other = await addOwner(stores, { email: 'operator@example.com', isOperator: true });
const { accountId } = owner;
const { first, last } = fillLargeAccount($client, owner, codes, nowMs);
const ids = (count: number) => Array.from({ length: count }, (_, at) => first + at);
const codeOf = (id: number) =>
  String($client.query('SELECT code FROM qrs WHERE id = ?').values(id)[0]?.[0]);
const [oldest, newest] = [codeOf(first), codeOf(last)];
const manyCodes = ids(1000).map(codeOf);
const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $rows)`;
for (const sql of [
  `INSERT INTO sessions (hash, account_id, created_at, last_seen_at) ${numbers} SELECT 's' || i, ${accountId}, 0, 0 FROM n`,
  `INSERT INTO trusted_browsers (hash, account_id, created_at) ${numbers} SELECT 't' || i, ${accountId}, 0 FROM n`,
  `INSERT INTO idempotency_keys (digest, qr_id, created_at) ${numbers} SELECT CAST('k' || i AS BLOB), ${first}, 0 FROM n`,
  `INSERT INTO planned_changes (qr_id, account_id, action, destination, first_local, next_at, created_at) ${numbers} SELECT ${first} + i, ${accountId}, 'destination', 'https://example.com/' || i, '2026-01-01T00:00', i, 0 FROM n`,
  `INSERT INTO activity (account_id, at, actor, topic, kind, qr_id) ${numbers} SELECT ${accountId}, i, 'key:' || (1000 + i % 9), iif(i % 1000, 'codes', 'people'), 'destination-changed', ${first} FROM n`,
  `INSERT INTO designs (account_id, settings, created_at) ${numbers} SELECT ${accountId}, settings, 0 FROM n, designs WHERE designs.id = ${owner.designId}`,
  // Expired ones, of accounts that came and went.
  `INSERT INTO pictures (account_id, digest, content, kept_at) ${numbers} SELECT ${other.accountId}, 'p' || i, X'00', 0 FROM n`,
])
  $client.query(sql).run({ rows: codes / 2 });
const batchId = await stores.batches.add(
  newBatch(owner, { rows: Array.from({ length: 5000 }, (_, at) => newRow(at + 1)) }),
);
const edits = ids(10_000).map((qrId) => ({
  ...{ qrId, code: '', before: 'listed', after: 'archived', needsRecheck: false },
}));
$client.query('UPDATE qrs SET archived = 0 WHERE id < ?').run(first + 10_000);
const reversed = (edit: CodeEdit) => ({ ...edit, before: edit.after, after: edit.before });
const bulkEditId = await beginBulkEdit(stores, acting(accountId), { kind: 'archive' }, edits);
for (let at = 0; at < edits.length - 200; at += 100)
  await stores.bulkEdits.make(bulkEditId, edits.slice(at, at + 100), [], nowMs);
const checked = await stores.flags.find(oldest);
if (checked === null) throw new Error('the oldest code is missing');
let links = 0;
const newLinks = (count: number) => Array.from({ length: count }, () => newLink(`path-${links++}`));

const hashes = Array.from({ length: 10_000 }, (_, at) =>
  Uint8Array.from(new Bun.CryptoHasher('sha256').update(String(at)).digest()),
);

const filters = [
  {},
  { status: 'paused' },
  { folder: 'Few', status: 'paused' },
  { folder: null },
  { isArchived: true },
  { isFlagged: true, isNeverScanned: true },
  { designId: far },
  { quietSinceMs: 1 },
  { isNeverScanned: true, status: 'blocked' },
] as const;
const sorts = ['newest', 'name', 'scans', 'last-scan'] as const;
const lists = filters.flatMap((filter) => sorts.map((sort) => ({ filter, sort })));

const key = { kind: 'key', lastFour: '1001' } as const;
const activityFilters = [
  {},
  { topic: 'people' },
  { by: key },
  { by: key, topic: 'designs' },
  { by: { kind: 'command' } },
  { qrId: first },
] as const;

type Calls<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: never) => unknown
    ? readonly (() => unknown)[]
    : never;
};

/** Calls of every function of every store. What removes the account comes last. */
const calls: { readonly [Name in keyof Stores]: Calls<Stores[Name]> } = {
  codeLists: {
    count: filters.map((filter) => () => stores.codeLists.count(accountId, filter, far)),
    indexedPage: lists.flatMap(({ filter, sort }) =>
      [0, codes / 2, codes - 30, far].map(
        (offset) => () => stores.codeLists.indexedPage(accountId, filter, sort, 100, offset, codes),
      ),
    ),
    slice: lists.map(
      ({ filter, sort }) =>
        () =>
          stores.codeLists.slice(accountId, filter, sort, null, 100),
    ),
    findByIds: [() => stores.codeLists.findByIds(accountId, ids(100))],
    folders: [
      () => stores.codeLists.folders(accountId, null, 1000, 10_000),
      () => stores.codeLists.folders(accountId, 'Many', 1000, 10_000),
    ],
    renameFolder: [
      () => stores.codeLists.renameFolder(acting(accountId), 'Many', 'More', noon),
      () => stores.codeLists.renameFolder(acting(accountId), 'More', 'More', noon),
      () => stores.codeLists.renameFolder(acting(accountId), 'More', null, noon),
    ],
    hourlyScans: [() => stores.codeLists.hourlyScans(ids(100), 0)],
    scansBetween: [() => stores.codeLists.scansBetween(ids(32), 0, Number.MAX_SAFE_INTEGER)],
  },
  schedule: {
    add: [
      () =>
        stores.schedule.add(
          { accountId: owner.accountId, qrIds: [first] },
          () => [newScheduledChange()],
          { maxPerCode: 20 },
        ),
    ],
    settle: [() => stores.schedule.settle(owner.accountId, first, 1)],
    list: [() => stores.schedule.list(accountId, first)],
    upcoming: [() => stores.schedule.upcoming(accountId, 0, far, 100)],
    problems: [() => stores.schedule.problems(accountId, 100)],
    reschedule: [accountId, null].map(
      (of) => () =>
        stores.schedule.reschedule(
          { accountId: of, nowMs: 0, afterId: 0, limit: 250 },
          ({ nextMs }) => nextMs + 1,
        ),
    ),
    due: [() => stores.schedule.due(far, 100)],
    make: [
      () =>
        stores.schedule.make(ids(100), far, ({ due, ...code }) => ({
          ...code,
          destination: 'https://example.com/planned',
          former: [code.destination],
          needsRecheck: true,
          over: due.map(({ id }) => id),
          kept: [],
        })),
    ],
    remove: [() => stores.schedule.remove(acting(accountId), first, 1, noon)],
  },
  qrs: {
    insert: [
      () =>
        stores.qrs.insert(newQr(owner), { digest: new Uint8Array(32), atMs: nowMs }, command, true),
    ],
    findByIdempotencyKey: [
      () => stores.qrs.findByIdempotencyKey({ digest: new Uint8Array(32), atMs: nowMs }),
    ],
    find: [() => stores.qrs.find(accountId, oldest), () => stores.qrs.find(accountId, longText)],
    listPage: [0, codes / 2, codes - 50, codes, far].map(
      (offset) => () => stores.qrs.listPage(accountId, 100, offset),
    ),
    findMany: [() => stores.qrs.findMany(accountId, manyCodes)],
    searchBatch: [
      ...filters.map(
        (filter) => () => stores.qrs.searchBatch(accountId, null, 'nowhere', 128, filter),
      ),
      () => stores.qrs.searchBatch(accountId, null, '', 128, { isFlagged: true }),
      () => stores.qrs.searchBatch(accountId, { createdAtMs: 0, code: '' }, longText, 128),
    ],
    changeDestination: [
      () =>
        stores.qrs.changeDestination(
          acting(accountId),
          oldest,
          `https://a.example/${longText}`,
          nowMs,
        ),
      () => stores.qrs.changeDestination(acting(accountId), 'missing', 'https://a.example/', nowMs),
    ],
    findSame: [
      () => stores.qrs.findSame(accountId, [{ name: null, destination: 'https://a/' }]),
      () => stores.qrs.findSame(accountId, [{ name: longText, destination: 'https://a/' }]),
    ],
    changeLabels: [
      () => stores.qrs.changeLabels(acting(accountId), oldest, { name: longText }, noon),
      () => stores.qrs.changeLabels(acting(accountId), oldest, { path: longText }, nowMs),
      () => stores.qrs.changeLabels(acting(accountId), oldest, { path: null }, nowMs),
    ],
    changeStatus: [
      () => stores.qrs.changeStatus(acting(accountId), oldest, 'active', 'paused', noon),
    ],
    pausedTexts: [() => stores.qrs.pausedTexts(first)],
    formerDestinations: [() => stores.qrs.formerDestinations(first, 100)],
    hourlyScans: [() => stores.qrs.hourlyScans(first, 0, nowMs)],
    uncountedHits: [() => stores.qrs.uncountedHits(first)],
  },
  domains: {
    all: [() => stores.domains.all()],
    add: [() => stores.domains.add('https://bounds.example', {}, command, nowMs)],
    set: [
      () =>
        stores.domains.set('https://bounds.example', { accountIds: [accountId] }, command, nowMs),
    ],
    usable: [() => stores.domains.usable(accountId)],
    setDefault: [
      () => stores.domains.setDefault(acting(accountId), 'https://bounds.example', nowMs),
    ],
    defaultOf: [() => stores.domains.defaultOf(accountId, 'Menus')],
    folderDefault: [() => stores.domains.folderDefault(accountId, 'Menus')],
    setFolderDefault: [
      () => stores.domains.setFolderDefault(acting(accountId), longText, null, nowMs),
    ],
    printed: [() => stores.domains.printed(first, 1000)],
    withNonce: [() => stores.domains.withNonce('nonce', nowMs, async () => {})],
    remove: [() => stores.domains.remove('https://bounds.example', command, nowMs)],
    serve: [() => stores.domains.serve('https://bounds.example', ['https://old.example'], nowMs)],
  },
  linkImports: {
    at: [
      () =>
        stores.linkImports.at({
          exact: ['nowhere', 'somewhere'],
          folded: ['nowhere', 'somewhere'],
        }),
    ],
    takenFolded: [() => stores.linkImports.takenFolded(manyCodes)],
    taken: [() => stores.linkImports.taken(manyCodes)],
    reserved: [() => stores.linkImports.reserved(accountId, manyCodes, nowMs)],
    add: [() => stores.linkImports.add(acting(accountId), newLinks(100), noon)],
  },
  overview: {
    readCounters: [
      () => stores.overview.readCounters({ accountId }, wholeWindow, null, 100),
      () => stores.overview.readCounters({ accountId, folder: 'Many' }, wholeWindow, null, 100),
    ],
  },
  flags: {
    find: [() => stores.flags.find(oldest)],
    flagged: [() => stores.flags.flagged(100)],
    blocked: [() => stores.flags.blocked(100)],
    flaggedCount: [() => stores.flags.flaggedCount()],
    summary: [accountId, other.accountId, null].map((id) => () => stores.flags.summary(id)),
    after: [() => stores.flags.after(0, 100)],
    pausedLinks: [() => stores.flags.pausedLinks(0, 100)],
    setPausedLinkFlagged: [
      () =>
        stores.flags.setPausedLinkFlagged(
          { accountId, link: 'https://example.org/', isFlagged: false },
          true,
        ),
    ],
    setFlag: [() => stores.flags.setFlag(checked, { list: 'a', expression: 'b', sinceMs: nowMs })],
    queueLength: [() => stores.flags.queueLength()],
    queued: [() => stores.flags.queued(100)],
    enqueue: [() => stores.flags.enqueue(checked)],
    dequeue: [() => stores.flags.dequeue(checked)],
    setBlocked: [() => stores.flags.setBlocked(command, newest, true, noon, longText)],
  },
  runs: {
    last: [() => stores.runs.last('lists')],
    record: [() => stores.runs.record('lists', { listVersion: '1', startedMs: 0 })],
  },
  rules: {
    all: [() => stores.rules.all()],
    find: [() => stores.rules.find(['example.com/'])],
    put: [
      () => stores.rules.put({ expression: 'a/', decision: 'block', addedAtMs: 0, note: longText }),
    ],
    remove: [() => stores.rules.remove('a/')],
    revision: [() => stores.rules.revision()],
  },
  sources: {
    all: [() => stores.sources.all()],
    put: [
      () =>
        stores.sources.put({
          ...{ name: longText, url: `https://a.example/${longText}`, addedAtMs: nowMs },
          ...{ format: 'csv', column: longText },
        }),
    ],
    recordUpdate: [
      () =>
        stores.sources.recordUpdate({
          ...{ name: longText, checkedAtMs: nowMs, outcome: 'failed', reason: longText },
        }),
    ],
    remove: [() => stores.sources.remove(longText)],
  },
  lists: {
    all: [() => stores.lists.all()],
    find: [() => stores.lists.find([new Uint8Array(32)])],
    replace: [
      () =>
        stores.lists.replace({ source: 'a', origin: null, importedAtMs: nowMs }, batchesOf(hashes)),
    ],
    remove: [() => stores.lists.remove('a')],
  },
  designs: {
    add: [() => stores.designs.add(acting(accountId), plainDesign, nowMs)],
    setDefault: [() => stores.designs.setDefault(acting(accountId), owner.designId, noon)],
    findDefault: [() => stores.designs.findDefault(accountId)],
    find: [() => stores.designs.find(owner.designId)],
    pngHash: [() => stores.designs.pngHash(owner.designId)],
    recordPngHash: [() => stores.designs.recordPngHash(owner.designId, new Uint8Array(32))],
  },
  savedDesigns: {
    list: [() => stores.savedDesigns.list(accountId)],
    save: [() => stores.savedDesigns.save(acting(accountId), 'one', plainDesign, nowMs)],
    find: [() => stores.savedDesigns.find(accountId, 'one')],
    rename: [() => stores.savedDesigns.rename(acting(accountId), 'one', longText, noon)],
    remove: [() => stores.savedDesigns.remove(acting(accountId), longText, noon)],
  },
  pictures: {
    keep: [
      () =>
        stores.pictures.keep(
          { accountId, digest: longText, content: new Uint8Array(300_000), keptAtMs: nowMs },
          { expiredMs: nowMs - far, maxPictures: 60 },
        ),
    ],
    find: [() => stores.pictures.find(accountId, longText, nowMs)],
  },
  columnChoices: {
    find: [() => stores.columnChoices.find(accountId, new Uint8Array(32))],
    keep: [() => stores.columnChoices.keep(accountId, new Uint8Array(32), ['name'], nowMs)],
  },
  batches: {
    add: [
      () =>
        stores.batches.add(
          newBatch(owner, { rows: [newRow(1)], state: 'draft', atMs: nowMs + far }),
        ),
    ],
    findFile: [() => stores.batches.findFile(batchId)],
    readAgain: [
      () =>
        stores.batches.readAgain(accountId, batchId, {
          digest: new Uint8Array(32),
          rows: [newRow(1)],
          notices: [],
        }),
    ],
    find: [() => stores.batches.find(accountId, batchId)],
    list: [() => stores.batches.list(accountId, 20)],
    findUnfinished: [() => stores.batches.findUnfinished(accountId, new Uint8Array(32))],
    rows: [() => stores.batches.rows(batchId, 'refused', 0, 100)],
    correct: [() => stores.batches.correct(accountId, batchId, [newRow(1)])],
    start: [
      () => stores.batches.start(acting(accountId), batchId, { ...owner, folder: 'a' }, noon),
    ],
    lease: [() => stores.batches.lease(nowMs, nowMs)],
    renew: [() => stores.batches.renew(batchId, nowMs, nowMs)],
    createQr: [() => stores.batches.createQr(batchId, 1, newQr(owner), true)],
    refuse: [() => stores.batches.refuse(batchId, 1, { kind: 'as stored', text: longText })],
    stop: [() => stores.batches.stop(acting(accountId), batchId, { kind: 'batch stopped' }, nowMs)],
    end: [() => stores.batches.end(batchId, 'done', null)],
  },
  bulkEdits: {
    lease: [() => stores.bulkEdits.lease(accountId, nowMs, nowMs)],
    leaseUnfinished: [() => stores.bulkEdits.leaseUnfinished(noon, noon)],
    renew: [() => stores.bulkEdits.renew(accountId, nowMs, nowMs)],
    release: [() => stores.bulkEdits.release(accountId, nowMs)],
    last: [() => stores.bulkEdits.last(accountId)],
    pending: [() => stores.bulkEdits.pending(bulkEditId, 0, 100)],
    make: [
      () => stores.bulkEdits.make(bulkEditId, edits.slice(-200, -100), [], nowMs),
      () =>
        stores.bulkEdits.make(
          bulkEditId,
          [],
          edits.slice(-100).map(({ qrId }) => ({ qrId, reason: { kind: 'changed meanwhile' } })),
          nowMs,
        ),
    ],
    edits: [() => stores.bulkEdits.edits(bulkEditId, 0, 1000)],
    refused: [() => stores.bulkEdits.refused(bulkEditId, 1000)],
    end: [() => stores.bulkEdits.end(bulkEditId, null)],
    beginUndo: [
      async () => {
        await stores.bulkEdits.lease(accountId, noon, noon + 1);
        await stores.bulkEdits.beginUndo(acting(accountId), noon + 1, bulkEditId);
        await stores.bulkEdits.make(bulkEditId, edits.slice(0, 100).map(reversed), [], nowMs);
        await stores.bulkEdits.end(bulkEditId, null);
      },
    ],
    begin: [
      async () => {
        await stores.bulkEdits.lease(accountId, noon, noon + 1);
        await stores.bulkEdits.begin(acting(accountId), noon + 1, { kind: 'pause' }, edits, nowMs);
      },
    ],
  },
  activity: {
    add: [
      () =>
        stores.activity.add(acting(accountId), { kind: 'codes-printed', after: longText }, nowMs),
    ],
    page: activityFilters.flatMap((filter) =>
      [null, codes / 4].map((before) => () => stores.activity.page(accountId, filter, before, 100)),
    ),
    actors: [() => stores.activity.actors(accountId, 100)],
    removeBefore: [() => stores.activity.removeBefore(far, 0)],
    largeAccounts: [() => stores.activity.largeAccounts(1, 0, 100)],
    count: [() => stores.activity.count(accountId)],
    removeOldest: [() => stores.activity.removeOldest(accountId, 2000)],
  },
  keys: {
    replace: [() => stores.keys.replace(acting(accountId), 'hash', 'last', nowMs)],
    findOwner: [() => stores.keys.findOwner('hash', nowMs)],
    findByAccount: [() => stores.keys.findByAccount(accountId)],
    list: [() => stores.keys.list()],
    recordUse: [() => stores.keys.recordUse(accountId, nowMs)],
    endFormer: [() => stores.keys.endFormer(acting(accountId), noon)],
    revoke: [() => stores.keys.revoke(acting(accountId), noon)],
  },
  credentials: {
    find: [() => stores.credentials.find('large@example.com')],
    signIn: [
      () => stores.credentials.signIn(accountId, 'hash', newSignIn(`new ${links++}`, nowMs), null),
    ],
    browserSinceMs: [() => stores.credentials.browserSinceMs('t1', accountId)],
    changePassword: [
      () =>
        stores.credentials.changePassword(
          other.accountId,
          null,
          'next',
          newSignIn(`new ${links++}`, nowMs),
        ),
    ],
  },
  sessions: {
    find: [() => stores.sessions.find('s1')],
    enter: [() => stores.sessions.enter('s1', other.accountId)],
    recordUse: [() => stores.sessions.recordUse('s1', nowMs)],
    recordConfirmation: [() => stores.sessions.recordConfirmation('s1', nowMs)],
    list: [() => stores.sessions.list(other.accountId, 0, 20)],
    remove: [() => stores.sessions.remove('s1')],
    removeOf: [() => stores.sessions.removeOf(accountId, 's2')],
    removeAll: [() => stores.sessions.removeAll(acting(other.accountId), nowMs)],
  },
  identities: {
    find: [() => stores.identities.find({ issuer: 'i', subject: 's' })],
    ofAccount: [() => stores.identities.ofAccount(other.accountId)],
    signIn: [
      () =>
        stores.identities.signIn(
          { issuer: 'i', subject: 's' },
          other.accountId,
          newSignIn(`provided ${links++}`, nowMs),
          null,
        ),
    ],
    bind: [
      () =>
        stores.identities.bind(acting(other.accountId), {
          identity: { issuer: 'i', subject: 's' },
          stepHash: null,
          replacesOthers: true,
          atMs: nowMs,
        }),
    ],
    signUp: [
      () =>
        stores.identities.signUp(
          {
            issuer: 'i',
            subject: 'new',
            email: 'provided@example.com',
            isOperator: false,
            planUntilMs: 0,
          },
          newSignIn(`signed up ${links++}`, nowMs),
        ),
    ],
    remove: [() => stores.identities.remove(acting(other.accountId), nowMs, null)],
  },
  signInLinks: {
    add: [() => stores.signInLinks.add('link', acting(other.accountId), nowMs, noon)],
    find: [() => stores.signInLinks.find('link', 0)],
    redeem: [() => stores.signInLinks.redeem('link', '', 'hash', newSignIn('link', 0), 'step')],
    isFirstAccountMissing: [() => stores.signInLinks.isFirstAccountMissing()],
  },
  signInSteps: {
    add: [
      () =>
        stores.signInSteps.add({
          hash: `step ${links++}`,
          accountId,
          step: { kind: 'password' },
          atMs: nowMs,
        }),
    ],
    find: [() => stores.signInSteps.find('step')],
  },
  people: {
    invite: [
      () => stores.people.invite(acting(other.accountId), newInvitation('large@example.com')),
    ],
    join: [() => stores.people.join('to large@example.com', accountId, 's3', nowMs)],
    createAndJoin: [
      () => stores.people.invite(acting(accountId), newInvitation('new@example.com')),
      () => stores.people.createAndJoin('to new@example.com', 'hash', newSignIn('new', nowMs)),
    ],
    accountsOf: [() => stores.people.accountsOf(accountId)],
    members: [() => stores.people.members(accountId), () => stores.people.members(other.accountId)],
    invitations: [() => stores.people.invitations(accountId)],
    findInvitation: [() => stores.people.findInvitation('to new@example.com', nowMs)],
    takeBack: [() => stores.people.takeBack(acting(accountId), 'new@example.com', nowMs)],
    changeRole: [
      () => stores.people.changeRole(acting(accountId), other.accountId, 'viewer', nowMs),
    ],
    remove: [() => stores.people.remove(acting(accountId), other.accountId, nowMs)],
  },
  secondFactors: {
    find: [() => stores.secondFactors.find(accountId)],
    add: [() => stores.secondFactors.add(accountId, 'secret', 1, ['a'], noon)],
    useStep: [() => stores.secondFactors.useStep(accountId, 'secret', 2)],
    replaceSecret: [() => stores.secondFactors.replaceSecret(accountId, 'secret', 'sealed')],
    useRecoveryCode: [() => stores.secondFactors.useRecoveryCode(accountId, 'a', noon)],
    replaceRecoveryCodes: [() => stores.secondFactors.replaceRecoveryCodes(accountId, ['b'], noon)],
    remove: [() => stores.secondFactors.remove(acting(accountId), noon)],
  },
  accounts: {
    create: [() => addOwner(stores)],
    find: [() => stores.accounts.find(accountId)],
    findByEmail: [() => stores.accounts.findByEmail(longText)],
    search: [() => stores.accounts.search(longText)],
    totals: [() => stores.accounts.totals()],
    changePlan: [() => stores.accounts.changePlan(acting(accountId), null, noon)],
    changeTimeZone: [
      () => stores.accounts.changeTimeZone(acting(accountId), 'Europe/Zurich', noon),
    ],
    changeLanguage: [() => stores.accounts.changeLanguage(accountId, 'de')],
    pausedTexts: [() => stores.accounts.pausedTexts(accountId)],
    changePausedTexts: [
      () =>
        stores.accounts.changePausedTexts(
          acting(accountId),
          { businessName: 'Osteria da Ada' },
          noon,
        ),
    ],
    hasOperator: [() => stores.accounts.hasOperator()],
    changeOperator: [() => stores.accounts.changeOperator(acting(accountId), false, noon)],
    changePassword: [() => stores.accounts.changePassword(acting(other.accountId), 'next', noon)],
    changeEmail: [() => stores.accounts.changeEmail(acting(accountId), 'moved@example.com', noon)],
    remove: [
      async () => {
        // The first parts have what is no code.
        for (let part = 0; part < 320; part++) {
          if (
            (await stores.accounts.remove(accountId, { kind: 'stop' }, nowMs, {
              kind: 'command',
            })) !== 'more'
          )
            return;
          await yieldToEventLoop();
        }
      },
    ],
  },
};

/** Runs a call, and returns the CPU time of its longest turn of the event loop, in milliseconds. */
async function longestTurnMs(run: () => unknown): Promise<number> {
  let longest = 0;
  let isDone = false;
  let before = process.cpuUsage();
  const measure = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
    if (!isDone) setImmediate(measure);
  };
  setImmediate(measure);
  await run();
  isDone = true;
  measure();
  return longest;
}

/** A plain statement: it reads ten thousand entries of an index. */
const plain = $client.query(
  `SELECT count(*) FROM (SELECT code FROM qrs WHERE account_id = ${accountId} AND archived = 0 LIMIT 10000)`,
);

/**
 * How much longer a turn may be. A turn of 30 ms is 40 times a plain statement, and what looks at each of the codes
 * takes some hundred times as long.
 */
const maxRatio = 40;
const attempts = 3;

test('no call of a store takes a turn that grows with an account', async () => {
  const grown: string[] = [];
  for (const [store, functions] of Object.entries(calls))
    for (const [name, runs] of Object.entries<readonly (() => unknown)[]>(functions)) {
      expect(`${store}.${name} ${runs.length > 0}`).toBe(`${store}.${name} true`);
      for (const [at, run] of runs.entries()) {
        // Other work on the machine can lengthen one turn, but hardly all.
        const ratios: number[] = [];
        do {
          const plainMs = await longestTurnMs(() => plain.all());
          ratios.push((await longestTurnMs(run)) / plainMs);
        } while (Math.min(...ratios) > maxRatio && ratios.length < attempts);
        if (process.env['TURNS'])
          console.log(ratios.map((ratio) => ratio.toFixed(1)).join(' '), store, name, at);
        if (Math.min(...ratios) > maxRatio) grown.push(`${store}.${name} ${at}: ${ratios.join()}`);
      }
    }
  expect(grown).toEqual([]);
});
