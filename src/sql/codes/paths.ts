import { and, eq, gt, ne, or, sql } from 'drizzle-orm';
import type { PathConflict } from '../../core/codes/ports.ts';
import { formsOfPath, pathKeptMs } from '../../core/codes/urls/typed-path.ts';
import { type Builder, type Dialect, hasRow, type Operation, rowOf } from '../dialect.ts';

/** Creates the steps of transactions that give paths to codes. */
export function createPaths({ tables, isOneOf, lock }: Dialect) {
  const { givenUpPaths, qrs } = tables;

  /** Selects those of the codes and paths that exist. */
  const existing = (db: Builder, forms: readonly string[]) =>
    db
      .select({ code: qrs.code, path: qrs.path })
      .from(qrs)
      .where(or(isOneOf(qrs.code, forms), isOneOf(qrs.path, forms)));

  /** Selects those of the paths that other accounts gave up lately. */
  const reserved = (db: Builder, accountId: number, paths: readonly string[], atMs: number) =>
    db
      .select({ path: givenUpPaths.path })
      .from(givenUpPaths)
      .innerJoin(qrs, eq(qrs.id, givenUpPaths.qrId))
      .where(
        and(
          isOneOf(givenUpPaths.path, paths),
          ne(qrs.accountId, accountId),
          gt(givenUpPaths.atMs, atMs - pathKeptMs),
        ),
      );

  return {
    existing,
    reserved,

    /** Makes other transactions that create paths wait until the end of this one. */
    lockPaths: (db: Builder): Operation<void> => lock(db, 'link import'),

    /** Takes a path for a code that will have it. Returns why it cannot be had, or null. Needs `lockPaths`. */
    *take(
      db: Builder,
      accountId: number,
      path: string,
      atMs: number,
    ): Operation<PathConflict | null> {
      if (yield* hasRow(existing(db, formsOfPath(path)).limit(1))) return 'path exists';
      if (yield* hasRow(reserved(db, accountId, [path], atMs).limit(1))) return 'path reserved';
      yield db.delete(givenUpPaths).where(eq(givenUpPaths.path, path));
      return null;
    },

    /** Records that a code has given its path up. */
    *giveUp(db: Builder, qrId: number, path: string, atMs: number): Operation<void> {
      const given = { path, qrId, atMs };
      const update = { target: givenUpPaths.path, set: { qrId, atMs } };
      yield db.insert(givenUpPaths).values(given).onConflictDoUpdate(update);
    },

    /** Returns the id and the path of a code of an account, or null. */
    ofCode: (db: Builder, accountId: number, code: string) =>
      rowOf(
        db
          .select({ qrId: qrs.id, path: qrs.path })
          .from(qrs)
          .where(and(eq(qrs.accountId, accountId), eq(qrs.code, code))),
      ),
    set: (db: Builder, qrId: number, path: string | null) =>
      db
        .update(qrs)
        .set({ path: sql`${path}` })
        .where(eq(qrs.id, qrId)),
  };
}
