import type { Database } from 'bun:sqlite';
import { plainDesign } from '../../core/designs/design.ts';
import { toStoredDesign } from '../../core/designs/stored-design.ts';
import { formatCount } from '../../lib/numbers.ts';
import { hasColumn } from '../database/migrate.ts';
import { recordPrefixes } from './copy-rows.ts';

/** A row that refers to a missing row of another table. */
interface Violation {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
  /** The referring column, with its value. */
  readonly column: string;
  readonly value: number;
  readonly isRequired: number;
}

/**
 * Repairs references to rows that could not be read.
 * A missing account or design gets a substitute, so that no code is lost for the loss of another row. Then recomputes
 * totals.
 *
 * @returns sentences that tell what was substituted or left out
 */
export function repairReferences(repaired: Database, nowMs: number): string[] {
  return [
    ...substituteAccounts(repaired, nowMs),
    ...substituteDesigns(repaired, nowMs),
    ...removeDangling(repaired),
    ...recomputeTotals(repaired, nowMs),
  ];
}

function substituteAccounts(repaired: Database, nowMs: number): string[] {
  const missing = new Set(violations(repaired, 'accounts').map(({ value }) => value));
  const insert = repaired.query('INSERT INTO accounts (id, email, created_at) VALUES (?, ?, ?)');
  return Array.from(missing, (id) => {
    const email = `lost-account-${id}@repair.invalid`;
    insert.run(id, email, nowMs);
    return `Account ${id} cannot be read. Its codes and its key belong to the new account ${email}.`;
  });
}

function substituteDesigns(repaired: Database, nowMs: number): string[] {
  const { settings } = toStoredDesign(plainDesign);
  const insert = repaired.query(
    'INSERT INTO designs (id, account_id, settings, created_at) VALUES (?, ?, ?, ?)',
  );
  const codes = repaired.query<{ accountId: number; codes: number }, [number]>(
    'SELECT min(account_id) AS accountId, count(*) AS codes FROM qrs WHERE design_id = ?',
  );
  const missing = new Set(
    violations(repaired, 'designs')
      .filter(({ table }) => table === 'qrs')
      .map(({ value }) => value),
  );
  return Array.from(missing, (id) => {
    const use = codes.get(id);
    insert.run(id, use?.accountId ?? 0, JSON.stringify(settings), nowMs);
    return (
      `Design ${id} cannot be read. Its ${formatCount(use?.codes ?? 0, 'code redirects', 'codes redirect')}, but ` +
      'images are drawn plain and differ from the printed ones.'
    );
  });
}

/** Clears or removes what else refers to missing rows. */
function removeDangling(repaired: Database): string[] {
  const removed = new Map<string, number>();
  let found = violations(repaired);
  while (found.length > 0) {
    for (const { table, rowid, column, isRequired } of found) {
      if (isRequired === 0)
        repaired.run(`UPDATE "${table}" SET "${column}" = NULL WHERE rowid = ${rowid}`);
      else repaired.run(`DELETE FROM "${table}" WHERE rowid = ${rowid}`);
      removed.set(table, (removed.get(table) ?? 0) + 1);
    }
    // Removing a row can leave others without theirs.
    found = violations(repaired);
  }
  return Array.from(
    removed,
    ([table, rows]) =>
      `${formatCount(rows, 'row')} of ${table} left out, which belong to rows that are missing.`,
  );
}

function recomputeTotals(repaired: Database, nowMs: number): string[] {
  repaired.run(
    'UPDATE accounts SET qr_count = (SELECT count(*) FROM qrs WHERE account_id = accounts.id)',
  );
  recordPrefixes(repaired);
  if (hasColumn(repaired, 'scan_counters', 'account_id')) {
    repaired.run(
      'UPDATE scan_counters SET account_id = (SELECT account_id FROM qrs WHERE id = qr_id)',
    );
    repaired.run(
      'INSERT OR IGNORE INTO scan_counters (qr_id, account_id, scans, last_scan) SELECT id, account_id, 0, 0 FROM qrs',
    );
  }
  // Only the current schema has the column.
  if (!hasColumn(repaired, 'accounts', 'default_design_id')) return [];
  repaired.run(
    `UPDATE accounts SET default_design_id = (SELECT max(id) FROM designs WHERE account_id = accounts.id)
       WHERE default_design_id IS NULL OR default_design_id NOT IN (SELECT id FROM designs)`,
  );
  const { settings } = toStoredDesign(plainDesign);
  const without = repaired
    .query<{ id: number; email: string }, []>(
      'SELECT id, email FROM accounts WHERE default_design_id IS NULL',
    )
    .all();
  return without.map(({ id, email }) => {
    const { lastInsertRowid } = repaired
      .query('INSERT INTO designs (account_id, settings, created_at) VALUES (?, ?, ?)')
      .run(id, JSON.stringify(settings), nowMs);
    repaired
      .query('UPDATE accounts SET default_design_id = ? WHERE id = ?')
      .run(lastInsertRowid, id);
    return `The default design of ${email} cannot be read. It is the plain one now.`;
  });
}

function violations(repaired: Database, parent?: string): Violation[] {
  const found = repaired.query<Omit<Violation, 'value'>, []>(
    `SELECT broken.[table], broken.rowid, broken.parent, key.[from] AS [column], info.[notnull] AS isRequired
     FROM pragma_foreign_key_check AS broken, pragma_foreign_key_list(broken.[table]) AS key,
       pragma_table_info(broken.[table]) AS info
     WHERE key.id = broken.fkid AND info.name = key.[from]`,
  );
  return found
    .all()
    .filter((violation) => parent === undefined || violation.parent === parent)
    .map((violation) => {
      const { table, rowid, column } = violation;
      const row = repaired
        .query<{ value: number }, [number]>(
          `SELECT "${column}" AS value FROM "${table}" WHERE rowid = ?`,
        )
        .get(rowid);
      return { ...violation, value: row?.value ?? 0 };
    });
}
