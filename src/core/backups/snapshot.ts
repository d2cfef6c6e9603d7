import { ownerlessEmail } from '../accounts/account.ts';
import { DatabaseUnusable } from '../errors.ts';
import { hitKinds } from '../scans/hit.ts';

/** Content of a database in one state, in a form that all databases share. */
export interface Snapshot {
  /** The tables of {@link snapshotTables}, in that order. */
  readonly tables: readonly SnapshotTable[];
}

export interface SnapshotTable {
  readonly name: string;
  /** In alphabetical order. */
  readonly columns: readonly string[];
  /** Reads all rows in the order of the key, in batches. */
  rows(): AsyncIterable<SnapshotRow[]>;
}

/** A boolean is 0 or 1. */
export type SnapshotValue = string | number | null | Uint8Array;
export type SnapshotRow = readonly SnapshotValue[];

/**
 * All tables with the columns of their key. Rows refer to rows of earlier tables only. `scan_log` has the
 * hits that are not aggregated: the count of each code, kind and instant.
 */
export const snapshotTables = {
  accounts: ['id'],
  designs: ['id'],
  saved_designs: ['id'],
  api_keys: ['account_id'],
  sessions: ['hash'],
  trusted_browsers: ['hash'],
  sign_in_links: ['hash'],
  qrs: ['id'],
  former_destinations: ['id'],
  batches: ['id'],
  batch_rows: ['batch_id', 'row'],
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

/** Conditions in SQL: threat lists that are being imported or deleted are left out. */
const snapshotConditions: Partial<Record<SnapshotTableName, readonly string[]>> = {
  threat_lists: ['source IS NOT NULL'],
  threat_list_entries: ['list_id IN (SELECT id FROM threat_lists WHERE source IS NOT NULL)'],
};

const rowsPerBatch = 5000;

/**
 * Returns a table whose rows are read by SQL.
 *
 * @param columns in alphabetical order
 * @param select selects the columns; `rest` is what follows the table, with the values of `$1`, `$2`, …
 */
export function snapshotTable(
  name: SnapshotTableName,
  columns: readonly string[],
  select: (rest: string, values: SnapshotRow) => SnapshotRow[] | Promise<SnapshotRow[]>,
): SnapshotTable {
  const key = snapshotTables[name];
  return {
    name,
    columns,
    rows: async function* () {
      let after: SnapshotRow = [];
      for (;;) {
        const conditions = [
          ...(after.length === 0 ? [] : [`(${key}) > (${key.map((_, index) => `$${index + 1}`)})`]),
          ...(snapshotConditions[name] ?? []),
        ];
        const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
        const rows: SnapshotRow[] = await select(
          `${where} ORDER BY ${key} LIMIT ${rowsPerBatch}`,
          after,
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        after = key.map((column) => last[columns.indexOf(column)] ?? null);
      }
    },
  };
}

/** Columns of `scan_log` in a snapshot. */
export const scanLogColumns = ['at', 'hits', 'kind', 'qr_id'] as const;

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

  const countRow = ({ name, columns }: SnapshotTable, row: SnapshotRow) => {
    const cell = (column: string) => row[columns.indexOf(column)] ?? null;
    if (name === 'accounts' && cell('email') !== ownerlessEmail) sums.accounts++;
    if (name === 'qrs') sums.codes++;
    if (name === 'qrs' && cell('image_hash') !== null) sums.images++;
    if (name === 'scan_counters') sums.scans += Number(cell('scans'));
    if (name === 'scan_log' && cell('kind') === hitKinds.indexOf('scan'))
      sums.scans += Number(cell('hits'));
  };

  const tables = snapshot.tables.map((table) => ({
    ...table,
    rows: async function* () {
      const hasher = new Bun.CryptoHasher('sha256');
      hasher.update(table.columns.join());
      for await (const rows of table.rows()) {
        for (const row of rows) countRow(table, row);
        hasher.update(rows.map(serialize).join(''));
        yield rows;
      }
      digests[table.name] = hasher.digest('hex');
    },
  }));
  return { snapshot: { tables }, summary: () => ({ ...sums, digests }) };
}

/** Reads a snapshot to its end and sums it up. */
async function summarize(snapshot: Snapshot): Promise<SnapshotSummary> {
  const { snapshot: counted, summary } = summarizing(snapshot);
  for (const table of counted.tables) for await (const _ of table.rows());
  return summary();
}

function serialize(row: SnapshotRow): string {
  return `${JSON.stringify(row.map((value) => (value instanceof Uint8Array ? { hex: value.toHex() } : value)))}\n`;
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
    const differing = differingTables(summary(), await summarize(written));
    if (differing.length > 0)
      throw new DatabaseUnusable(
        `The copy differs from the original in ${differing.join(', ')}. Nothing was changed. Please report this.`,
      );
  };
  await target.writeSnapshot(snapshot, { replace, verify });
  return summary();
}

function differingTables(one: SnapshotSummary, other: SnapshotSummary): string[] {
  const names = Object.keys({ ...one.digests, ...other.digests });
  return names.filter((name) => one.digests[name] !== other.digests[name]);
}
