import type { NewInvitation } from '../../src/core/accounts/people/ports.ts';
import type { StoredSignIn } from '../../src/core/accounts/ports.ts';
import type { BatchRow } from '../../src/core/batches/batch.ts';
import type { BulkEditChange, CodeEdit } from '../../src/core/batches/bulk-edit.ts';
import type { BatchStore } from '../../src/core/batches/ports.ts';
import type { NewLink } from '../../src/core/codes/ports.ts';
import type { NewQr, Qr } from '../../src/core/codes/qr.ts';
import type { NewScheduledChange } from '../../src/core/codes/schedule/ports.ts';
import type { Acting, Actor } from '../../src/core/ports.ts';
import type { Stores } from '../../src/core/storage.ts';
import { noLabels } from '../core/sample-qr.ts';

export const day = 86_400_000;
export const noon = Date.UTC(2026, 5, 1, 12);

/** Who changes something in tests, unless it matters. */
export const command: Actor = { kind: 'command' };

/** Returns an account with who changes it. */
export const acting = (accountId: number): Acting => ({ accountId, by: command });

/** An account, with its design. */
export interface Owner {
  readonly accountId: number;
  readonly designId: number;
}

type NewAccount = Parameters<Stores['accounts']['create']>[0];
let accounts = 0;

/** Creates an account with the plain design, by default with an unused address and without a password. */
export async function addOwner(
  stores: Pick<Stores, 'accounts' | 'designs'>,
  fields: Partial<NewAccount> = {},
): Promise<Owner> {
  const created = await stores.accounts.create({
    email: `${accounts++}@example.com`,
    isOperator: false,
    planUntilMs: null,
    passwordHash: null,
    by: command,
    atMs: 0,
    ...fields,
  });
  if (created.outcome === 'taken') throw new Error(`${fields.email} is taken`);
  const { id: designId } = await stores.designs.findDefault(created.account.id);
  return { accountId: created.account.id, designId };
}

/** Begins a bulk edit in its account's turn, which ends an earlier one. Returns its id. */
export async function beginBulkEdit(
  { bulkEdits }: Pick<Stores, 'bulkEdits'>,
  { accountId, by }: Acting,
  change: BulkEditChange,
  edits: readonly CodeEdit[],
  atMs = noon,
): Promise<number> {
  const last = await bulkEdits.last(accountId);
  if (last !== null) await bulkEdits.end(last.id, null);
  await bulkEdits.lease(accountId, atMs, atMs + 1);
  const id = await bulkEdits.begin({ accountId, by }, atMs + 1, change, edits, atMs);
  if (id === null) throw new Error('a bulk edit could not begin');
  return id;
}

/** Begins to undo a bulk edit in its account's turn, after the edit has ended. */
export async function beginUndo(
  { bulkEdits }: Pick<Stores, 'bulkEdits'>,
  acting: Acting,
  id: number,
): Promise<boolean> {
  await bulkEdits.end(id, null);
  await bulkEdits.lease(acting.accountId, noon, noon + 1);
  return bulkEdits.beginUndo(acting, noon + 1, id);
}

let codes = 0;

/** Returns an unused code. */
export const nextCode = (): string => `0${(codes++).toString(8).padStart(7, '0')}`;

export function newQr({ accountId, designId }: Owner, fields: Partial<NewQr> = {}): NewQr {
  const code = fields.code ?? nextCode();
  return {
    code,
    accountId,
    image: {
      designId,
      logoPlacement: { sizePercent: 96, rightModules: 0.25, downModules: -0.5 },
      imageHash: new Uint8Array(32).fill(7),
    },
    shortLink: `https://qr.example.com/${code}`,
    destination: 'https://example.com/',
    createdAtMs: noon,
    ...noLabels,
    ...fields,
  };
}

/** Stores a code, and returns it as it is read. */
export async function addQr(
  { qrs }: Pick<Stores, 'qrs'>,
  owner: Owner,
  fields?: Partial<NewQr>,
): Promise<Qr> {
  const qr = newQr(owner, fields);
  const outcome = await qrs.insert(qr, null, command);
  const found = await qrs.find(owner.accountId, qr.code);
  if (typeof outcome === 'string' || 'earlier' in outcome || found === null)
    throw new Error(`${qr.code} was not stored`);
  return found;
}

/** Returns a planned change to another destination, once, at {@link noon}. */
export function newScheduledChange(fields: Partial<NewScheduledChange> = {}): NewScheduledChange {
  return {
    ...{ action: 'destination', destination: 'https://example.com/planned' },
    ...{ firstLocal: '2026-06-01T12:00', every: null, nextMs: noon },
    ...{ scheduledById: null, createdAtMs: 0 },
    ...fields,
  };
}

/** Returns the number of an account's codes. */
export const totalOf = async ({ qrs }: Pick<Stores, 'qrs'>, accountId: number): Promise<number> =>
  (await qrs.listPage(accountId, 1, 0)).total;

/** Returns the stored tokens of a sign-in: a session and a trusted browser of the same hash. */
export const newSignIn = (hash: string, atMs: number): StoredSignIn => ({
  sessionHash: hash,
  trustedBrowserHash: hash,
  device: 'Firefox on Linux',
  atMs,
});

/** Returns an invitation whose hash is made from its address. */
export const newInvitation = (
  email: string,
  fields: Partial<NewInvitation> = {},
): NewInvitation => ({
  ...{ email, hash: `to ${email}`, role: 'editor' },
  ...{ atMs: noon, expiresAtMs: noon + 7 * day },
  ...fields,
});

/** Yields the hashes of a threat list. */
export async function* batchesOf(...batches: Uint8Array[][]): AsyncGenerator<Uint8Array[]> {
  yield* batches;
}

export function newLink(path: string, fields: Partial<NewLink> = {}): NewLink {
  return {
    ...noLabels,
    path,
    shortLink: `https://qr.example.com/${encodeURIComponent(path)}`,
    prefix: 'https://qr.example.com',
    destination: 'https://example.com/',
    needsRecheck: false,
    createdAtMs: noon,
    scans: 0,
    lastScanMs: null,
    status: 'active',
    ...fields,
  };
}

export const newRow = (row: number, fields: Partial<BatchRow> = {}): BatchRow => ({
  row,
  ...noLabels,
  destination: 'https://example.com/',
  problem: null,
  ...fields,
});

/** Returns a batch that runs and is leased to nobody. */
export const newBatch = (
  owner: Owner,
  fields: Partial<Parameters<BatchStore['add']>[0]> = {},
): Parameters<BatchStore['add']>[0] => ({
  ...owner,
  by: command,
  state: 'running',
  digest: new Uint8Array(32).fill(3),
  rows: [1, 2, 3].map((row) => newRow(row)),
  notices: [],
  atMs: noon,
  leaseUntilMs: noon,
  ...fields,
});

/** Returns the kind of the outcome of an insert. */
export const kindOf = (outcome: Awaited<ReturnType<Stores['qrs']['insert']>>): string =>
  typeof outcome === 'string' ? outcome : Object.keys(outcome).join();
