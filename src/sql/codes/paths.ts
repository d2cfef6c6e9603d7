import { and, desc, eq, gt, ne, not, or, sql } from 'drizzle-orm';
import type { PathConflict } from '../../core/codes/ports.ts';
import {
  foldPath,
  type LinkForms,
  type NamedLink,
  scopeOf,
} from '../../core/codes/urls/resolve.ts';
import { formsOfPath, maxPathsKept, pathKeptMs } from '../../core/codes/urls/typed-path.ts';
import {
  type Builder,
  type Dialect,
  hasRow,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';

/** Creates the steps of transactions that give paths to codes. */
export function createPaths({ tables, isOneOf, lock }: Dialect) {
  const { domains, givenUpPaths, qrs } = tables;

  /** Selects the codes and links that have one of some forms. */
  const existing = (db: Builder, { exact, folded }: LinkForms) => {
    const conditions = [
      ...(exact.length === 0 ? [] : [isOneOf(qrs.code, exact), isOneOf(qrs.path, exact)]),
      ...(folded.length === 0
        ? []
        : [isOneOf(qrs.foldedCode, folded), isOneOf(qrs.foldedPath, folded)]),
    ];
    const columns = ['code', 'path', 'foldedCode', 'foldedPath', 'destination'] as const;
    return (
      db
        .select(pick(qrs, ...(columns satisfies Named)))
        .from(qrs)
        // SQLite uses the indexes of all conditions if there is no other one.
        .where(conditions.length === 0 ? sql`false` : or(...conditions))
    );
  };

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
    /** Returns a path as it is stored, with the domain of the short link of its code, see `scopeOf`. */
    *stored(db: Builder, path: string, shortLink: string): Operation<string> {
      const { origin, host } = new URL(shortLink);
      const ofLink = db.select(pick(domains, 'url')).from(domains).where(eq(domains.url, origin));
      return (yield* hasRow(ofLink)) ? scopeOf(host) + path : path;
    },
    existing,
    reserved,

    /** Makes other transactions that create paths wait until the end of this one. */
    lockPaths: (db: Builder): Operation<void> => lock(db, 'link import'),

    /**
     * Takes a path for a code that will have it.
     * Returns why it cannot be had, or null. Needs `lockPaths`.
     *
     * @param qrId the code; null for a new one
     */
    *take(
      db: Builder,
      accountId: number,
      qrId: number | null,
      path: string,
      atMs: number,
    ): Operation<PathConflict | null> {
      const isSame = existing(db, { exact: formsOfPath(path), folded: [] });
      if (yield* hasRow(isSame.limit(1))) return 'path exists';
      const folded = foldPath(path);
      const isOfOther = qrId === null ? undefined : ne(qrs.id, qrId);
      const others = db
        .select(pick(qrs, 'id'))
        .from(qrs)
        .where(or(eq(qrs.foldedCode, folded), and(eq(qrs.foldedPath, folded), isOfOther)));
      if (yield* hasRow(others.limit(1))) return 'path in another case';
      if (yield* hasRow(reserved(db, accountId, [path], atMs).limit(1))) return 'path reserved';
      yield db.delete(givenUpPaths).where(eq(givenUpPaths.path, path));
      return null;
    },

    /**
     * Records that a code has given its path up, if somebody may still have it.
     * Without a scan since then, nobody has it.
     */
    *giveUp(db: Builder, given: PathOfCode, atMs: number): Operation<void> {
      const { qrId, path, pathSinceMs, lastScanMs } = given;
      if (path === null || lastScanMs === null || lastScanMs < (pathSinceMs ?? 0)) return;
      const update = { target: givenUpPaths.path, set: { qrId, atMs } };
      yield db.insert(givenUpPaths).values({ path, qrId, atMs }).onConflictDoUpdate(update);
      const isOfCode = eq(givenUpPaths.qrId, qrId);
      const ofCode = db.select({ path: givenUpPaths.path }).from(givenUpPaths).where(isOfCode);
      const newestFirst = ofCode.orderBy(desc(givenUpPaths.atMs), desc(givenUpPaths.path));
      const kept = (yield* rowsOf(newestFirst.limit(maxPathsKept))).map((one) => one.path);
      yield db.delete(givenUpPaths).where(and(isOfCode, not(isOneOf(givenUpPaths.path, kept))));
    },

    /** Returns the id and the path of a code of an account, or null. */
    ofCode: (
      db: Builder,
      accountId: number,
      code: string,
    ): Operation<(Omit<PathOfCode, 'lastScanMs'> & { readonly shortLink: string }) | null> =>
      rowOf(
        db
          .select({ qrId: qrs.id, ...pick(qrs, 'path', 'pathSinceMs', 'shortLink') })
          .from(qrs)
          .where(and(eq(qrs.accountId, accountId), eq(qrs.code, code))),
      ),
    set: (db: Builder, qrId: number, path: string | null, pathSinceMs: number) =>
      db
        .update(qrs)
        .set({
          path,
          foldedPath: path && foldPath(path),
          pathSinceMs: path === null ? null : pathSinceMs,
        })
        .where(eq(qrs.id, qrId)),
  };
}

/** What is read of codes and paths that exist. */
type Named = readonly (keyof NamedLink | 'destination')[];

/** A code that has a path, and when it was scanned last. */
interface PathOfCode {
  readonly qrId: number;
  readonly path: string | null;
  readonly pathSinceMs: number | null;
  readonly lastScanMs: number | null;
}
