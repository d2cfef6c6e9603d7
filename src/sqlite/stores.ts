import type { Stores } from '../core/storage.ts';
import { createRecorders } from '../sql/database/startup-queries.ts';
import { createSqlStores } from '../sql/stores.ts';
import type { DrizzleConnection } from './database/drizzle.ts';
import { runQueries } from './database/queries.ts';
import { write } from './database/write.ts';
import { createSqliteDialect, type DialectParts } from './dialect.ts';
import { eraseFreeSpace, notingErasure } from './maintenance/erasure.ts';

/** The stores of an open database. */
export interface OpenStores {
  readonly stores: Stores;
  readonly recorders: ReturnType<typeof createRecorders>;
  /** Whether these stores have deleted text for good. */
  hasErased(): boolean;
  /**
   * Erases deleted text from the free space of the database.
   * To be called before the connection is closed.
   *
   * @returns what is wrong, or null
   */
  eraseFreeSpace(): string | null;
}

/** Creates the stores on the open database of a data folder. */
export function openStores(
  connection: DrizzleConnection,
  dataFolder: string,
  parts: DialectParts,
): OpenStores {
  const { $client } = connection;
  let hasErased = false;
  return {
    stores: notingErasure(
      createSqlStores(createSqliteDialect(connection, parts)),
      dataFolder,
      () => {
        hasErased = true;
      },
    ),
    recorders: createRecorders((queries) =>
      write(() => $client.transaction(() => runQueries($client, queries)).immediate()),
    ),
    hasErased: () => hasErased,
    eraseFreeSpace: () => {
      const reason = eraseFreeSpace($client, dataFolder);
      return (
        reason &&
        `What was deleted may still be in the free space of the database: ${reason}. The next backup or stop of the server erases it`
      );
    },
  };
}
