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
  /**
   * Erases deleted text from the free space of the database, if an account was deleted.
   * To be called before the connection is closed.
   *
   * @returns what is wrong, or null
   */
  finish(): string | null;
}

/** Creates the stores on an open database. */
export function openStores(connection: DrizzleConnection, parts: DialectParts): OpenStores {
  const { $client } = connection;
  let isErasureNeeded = false;
  return {
    stores: notingErasure(createSqlStores(createSqliteDialect(connection, parts)), () => {
      isErasureNeeded = true;
    }),
    recorders: createRecorders((queries) =>
      write(() => $client.transaction(() => runQueries($client, queries)).immediate()),
    ),
    finish: () => {
      if (!isErasureNeeded) return null;
      const reason = eraseFreeSpace($client);
      return (
        reason &&
        `What was deleted may still be in the free space of the database: ${reason}. Once that is over, "waymark backup" and ` +
          '"waymark restore --force" of that file write it anew'
      );
    },
  };
}
