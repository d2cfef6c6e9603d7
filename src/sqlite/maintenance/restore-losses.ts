import { Database } from 'bun:sqlite';
import type { RestoreLosses } from '../../core/storage.ts';

interface Row {
  readonly code: string;
  readonly destination: string;
}

/** Compares the codes of a database with those of a backup that would replace it. Writes neither. */
export function findRestoreLosses(current: string, backup: string): RestoreLosses {
  const lostCodes: Row[] = [];
  let codes = 0;
  let changedCodes = 0;
  const kept = new Database(backup, { readonly: true, strict: true });
  let database: Database | null = null;
  try {
    database = new Database(current, { readonly: true, strict: true });
    const find = kept.query<Pick<Row, 'destination'>, [string]>(
      'SELECT destination FROM qrs WHERE code = ?',
    );
    // By rowid, so that a damaged index does not matter.
    const rows = database.query<Row, []>('SELECT code, destination FROM qrs ORDER BY id');
    for (const { code, destination } of rows.iterate()) {
      codes++;
      const found = find.get(code);
      if (found === null) lostCodes.push({ code, destination });
      else if (found.destination !== destination) changedCodes++;
    }
    return { codes, lostCodes, changedCodes, isComplete: true };
  } catch {
    // Damaged, or no database: that is why it is replaced.
    return { codes, lostCodes, changedCodes, isComplete: false };
  } finally {
    database?.close();
    kept.close();
  }
}
