import { eq } from 'drizzle-orm';
import type { LookStore } from '../core/patrol.ts';
import type { Store } from './open.ts';
import { looks } from './safety-schema.ts';
import { write } from './write.ts';

/** When all destinations were last looked at, in SQLite. */
export function makeLookStore(store: Store): LookStore {
  return {
    last: async (kind) => store.select().from(looks).where(eq(looks.kind, kind)).get() ?? null,
    note: async (kind, { generation, beganMs }) => {
      const row = { kind, generation, beganMs };
      await write(() =>
        store.insert(looks).values(row).onConflictDoUpdate({ target: looks.kind, set: row }).run(),
      );
    },
  };
}
