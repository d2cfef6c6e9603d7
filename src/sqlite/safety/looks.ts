import { eq } from 'drizzle-orm';
import type { RecheckRunStore } from '../../core/safety/schedule.ts';
import type { Store } from '../database/open.ts';
import { looks } from '../database/safety-schema.ts';
import { write } from '../database/write.ts';

/** When all destinations were last looked at, in SQLite. */
export function createRecheckRunStore(store: Store): RecheckRunStore {
  return {
    last: async (kind) => store.select().from(looks).where(eq(looks.kind, kind)).get() ?? null,
    record: async (kind, { listVersion, startedMs }) => {
      const row = { kind, listVersion, startedMs };
      await write(() =>
        store.insert(looks).values(row).onConflictDoUpdate({ target: looks.kind, set: row }).run(),
      );
    },
  };
}
