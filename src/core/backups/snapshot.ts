import { ownerlessEmail } from '../accounts/account.ts';
import { DatabaseUnusable } from '../errors.ts';
import { hitKinds } from '../scans/hit.ts';

/** Content of a database in one state, in a form that all databases share. */
export interface Snapshot {
  /** The tables of {@link snapshotTables}, in that order. */
  readonly tables: readonly SnapshotTable[];
}

/** A column, and what it holds: whole numbers, texts or bytes. */
export interface SnapshotColumn {
  readonly name: string;
  readonly type: 'integer' | 'text' | 'bytes';
}

export interface SnapshotTable {
  readonly name: SnapshotTableName;
  /** In alphabetical order. */
  readonly columns: readonly SnapshotColumn[];
  /** Reads all rows in the order of the key, in batches. */
  batches(): AsyncIterable<SnapshotBatch>;
  /** Reads the text of all rows. */
  text(): AsyncIterable<string | Uint8Array>;
}

/** Some rows of a table. */
export interface SnapshotBatch {
  readonly rows: readonly SnapshotRow[];
  /** The same in the text format of PostgreSQL's COPY, a line each. */
  readonly text: string;
}

/** A boolean is 0 or 1. */
export type SnapshotValue = string | number | null | Uint8Array;
export type SnapshotRow = readonly SnapshotValue[];

/**
 * All tables with the columns of their key.
 * Rows refer to rows of earlier tables only. `scan_log` has the hits that are not aggregated: the count of each code,
 * kind and instant.
 */
export const snapshotTables = {
  accounts: ['id'],
  designs: ['id'],
  saved_designs: ['id'],
  pictures: ['id'],
  api_keys: ['account_id'],
  sessions: ['hash'],
  trusted_browsers: ['hash'],
  sign_in_links: ['hash'],
  sign_in_steps: ['hash'],
  identities: ['issuer', 'subject'],
  members: ['account_id', 'member_id'],
  invitations: ['hash'],
  domains: ['url'],
  domain_accounts: ['domain', 'account_id'],
  folder_domains: ['account_id', 'folder'],
  domain_checks: ['nonce'],
  qrs: ['id'],
  given_up_paths: ['path'],
  former_destinations: ['id'],
  planned_changes: ['id'],
  activity: ['id'],
  batches: ['id'],
  batch_rows: ['batch_id', 'row'],
  batch_files: ['batch_id'],
  column_choices: ['account_id', 'headers'],
  bulk_edits: ['id'],
  bulk_edit_changes: ['bulk_edit_id', 'qr_id'],
  idempotency_keys: ['digest'],
  short_url_prefixes: ['prefix'],
  served_prefixes: ['prefix'],
  server_versions: ['id'],
  last_backup: ['id'],
  flags: ['qr_id'],
  recheck_queue: ['id'],
  recheck_runs: ['kind'],
  rules: ['id'],
  list_sources: ['name'],
  threat_lists: ['id'],
  threat_list_entries: ['list_id', 'hash'],
  scan_counters: ['qr_id'],
  hourly_scans: ['qr_id', 'hour'],
  uncounted_hits: ['qr_id', 'kind'],
  scan_log: ['qr_id', 'kind', 'at'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SnapshotTableName = keyof typeof snapshotTables;

export const snapshotTableNames = Object.keys(snapshotTables) as SnapshotTableName[]; // its own keys

/**
 * Tables that let somebody in without a password, or into an account.
 * A restore leaves them empty: a session that was ended since would come back.
 */
export const signInTables = [
  'sessions',
  'trusted_browsers',
  'sign_in_links',
  'sign_in_steps',
  'invitations',
] as const satisfies readonly SnapshotTableName[];

/** Conditions in SQL: files of drafts, and threat lists that are being imported or deleted, are left out. */
export const snapshotConditions: Partial<Record<SnapshotTableName, string>> = {
  // Megabytes for a day, which can be uploaded again.
  batch_files: 'false',
  // They are there for seconds.
  domain_checks: 'false',
  threat_lists: 'source IS NOT NULL',
  threat_list_entries: 'list_id IN (SELECT id FROM threat_lists WHERE source IS NOT NULL)',
};

const escapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

/** Adds the text to rows. */
export function toBatch(rows: readonly SnapshotRow[]): SnapshotBatch {
  return { rows, text: rows.map((row) => `${row.map(cellOf).join('\t')}\n`).join('') };
}

function cellOf(value: SnapshotValue): string | number {
  if (value === null) return '\\N';
  if (typeof value === 'number') return value;
  if (typeof value === 'object') return `\\\\x${value.toHex()}`;
  return value.replaceAll(/[\b\f\n\r\t\v\\]/g, (character) => escapes[character] ?? character);
}

/** What a snapshot contains. */
export interface SnapshotSummary {
  readonly accounts: number;
  readonly codes: number;
  /** Aggregated or not. */
  readonly scans: number;
  /** Codes with the hash of their image. */
  readonly images: number;
  /** SHA-256 of all rows by table, in hexadecimal digits. */
  readonly digests: Readonly<Record<string, string>>;
}

/** Sums up the rows that are read from a snapshot, each of which must be read once. */
function summarizing(snapshot: Snapshot): { snapshot: Snapshot; summary(): SnapshotSummary } {
  const digests: Record<string, string> = {};
  const sums = { accounts: 0, codes: 0, scans: 0, images: 0 };

  const countRows = ({ name, columns }: SnapshotTable, rows: readonly SnapshotRow[]) => {
    const names = columns.map((column) => column.name);
    const cells = (column: string) => rows.map((row) => row[names.indexOf(column)] ?? null);
    const count = (column: string, isCounted: (value: SnapshotValue) => boolean) =>
      cells(column).filter(isCounted).length;
    if (name === 'accounts') sums.accounts += count('email', (email) => email !== ownerlessEmail);
    if (name === 'qrs') sums.codes += rows.length;
    if (name === 'qrs') sums.images += count('image_hash', (hash) => hash !== null);
    if (name === 'scan_counters') for (const scans of cells('scans')) sums.scans += Number(scans);
    if (name === 'scan_log') {
      const kinds = cells('kind');
      for (const [index, hits] of cells('hits').entries())
        if (kinds[index] === hitKinds.indexOf('scan')) sums.scans += Number(hits);
    }
  };

  const tables = snapshot.tables.map((table) => ({
    ...table,
    batches: async function* () {
      const hasher = hasherOf(table);
      for await (const batch of table.batches()) {
        countRows(table, batch.rows);
        hasher.update(batch.text);
        yield batch;
      }
      digests[table.name] = hasher.digest('hex');
    },
  }));
  return { snapshot: { tables }, summary: () => ({ ...sums, digests }) };
}

function hasherOf({ columns }: SnapshotTable): Bun.CryptoHasher {
  return new Bun.CryptoHasher('sha256').update(`${columns.map(({ name }) => name)}\n`);
}

/** Reads a snapshot and returns the digests of its tables. */
async function digestsOf({ tables }: Snapshot): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const table of tables) {
    const hasher = hasherOf(table);
    for await (const text of table.text()) hasher.update(text);
    digests[table.name] = hasher.digest('hex');
  }
  return digests;
}

/** A database that a snapshot is written to, see `Storage`. */
interface Target {
  writeSnapshot(
    snapshot: Snapshot,
    options: { replace: boolean; verify: (written: Snapshot) => Promise<void> },
  ): Promise<void>;
}

/**
 * Copies a snapshot into a database and proves that the copy is equal.
 *
 * @param replace whether there may be accounts already, which are lost
 * @throws DatabaseUnusable when the copy differs; nothing was written then
 */
export async function copySnapshot(
  original: Snapshot,
  target: Target,
  replace = false,
): Promise<SnapshotSummary> {
  const { snapshot, summary } = summarizing(original);
  const verify = async (written: Snapshot) => {
    const [one, other] = [summary().digests, await digestsOf(written)];
    const names = Object.keys({ ...one, ...other });
    const differing = names.filter((name) => one[name] !== other[name]);
    if (differing.length > 0)
      throw new DatabaseUnusable(
        `The copy differs from the original in ${differing.join(', ')}. Nothing was changed. Please report this.`,
      );
  };
  await target.writeSnapshot(snapshot, { replace, verify });
  return summary();
}
