import { and, desc, eq, gt, lte, sql } from 'drizzle-orm';
import type { PictureStore } from '../../core/designs/ports.ts';
import { type Dialect, pick } from '../dialect.ts';

/** Pictures that are deleted with each one that is kept: more than are added. */
const deletedPerKeep = 20;

/** Creates the store of logos that are not saved yet. */
export function createPictureStore({
  tables: { pictures },
  transaction,
  prepare,
  isOneOf,
  lockedOrSkipped,
}: Dialect): PictureStore {
  const { placeholder } = sql;
  const found = prepare((db) =>
    db
      .select(pick(pictures, 'content'))
      .from(pictures)
      .where(
        and(
          eq(pictures.accountId, placeholder('accountId')),
          eq(pictures.digest, placeholder('digest')),
          gt(pictures.keptAtMs, placeholder('expiredMs')),
        ),
      ),
  );
  return {
    keep: (picture, { expiredMs, maxPictures }) =>
      transaction(function* (db) {
        const { accountId, keptAtMs } = picture;
        // Those that another transaction is deleting are left to it.
        const expired = lockedOrSkipped(
          db
            .select(pick(pictures, 'id'))
            .from(pictures)
            .where(lte(pictures.keptAtMs, expiredMs))
            .limit(deletedPerKeep),
        );
        yield db.delete(pictures).where(isOneOf(pictures.id, expired));
        yield db
          .insert(pictures)
          .values(picture)
          .onConflictDoUpdate({
            target: [pictures.accountId, pictures.digest],
            set: { keptAtMs },
          });
        const oldest = lockedOrSkipped(
          db
            .select(pick(pictures, 'id'))
            .from(pictures)
            .where(eq(pictures.accountId, accountId))
            .orderBy(desc(pictures.keptAtMs), desc(pictures.id))
            .offset(maxPictures)
            .limit(deletedPerKeep),
        );
        yield db.delete(pictures).where(isOneOf(pictures.id, oldest));
      }),
    find: async (accountId, digest, expiredMs) => {
      const [row] = await found.all({ accountId, digest, expiredMs });
      return row === undefined ? null : new Uint8Array(row.content);
    },
  };
}
