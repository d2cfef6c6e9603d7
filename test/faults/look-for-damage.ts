import { openForReading } from '../../src/sqlite/database/read-only.ts';
import { refuseDamaged } from '../../src/sqlite/maintenance/refuse-damaged.ts';

/**
 * Looks for damage in the database of a data folder, as a start does.
 *
 * @throws DatabaseUnusable
 */
export function lookForDamage(folder: string): void {
  const connection = openForReading(folder);
  try {
    refuseDamaged(folder, connection);
  } finally {
    connection.$client.close();
  }
}
