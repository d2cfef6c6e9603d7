import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import type { QrStore, SameCode } from '../../core/codes/ports.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { type Dialect, pick } from '../dialect.ts';

const { placeholder } = sql;

/** Names of a statement. */
const namesPerRead = 100;
/** Codes of a statement: a millisecond or two. */
const codesPerRead = 1000;

/** Creates the search for codes by name and destination, along the index `qrs_by_name`. */
export function createSameCodes({ tables, prepare, isOneOf, list }: Dialect): QrStore['findSame'] {
  const { qrs } = tables;
  const isListed = and(eq(qrs.accountId, placeholder('accountId')), eq(qrs.isArchived, false));
  const limit = placeholder('limit');
  const ofNames = prepare((db) =>
    db
      .select(pick(qrs, 'id'))
      .from(qrs)
      .where(and(isListed, isOneOf(qrs.nameKey, placeholder('keys'))))
      .limit(limit),
  );
  const ofName = prepare((db) =>
    db
      .select(pick(qrs, 'id'))
      .from(qrs)
      .where(and(isListed, eq(qrs.nameKey, placeholder('key')), gt(qrs.id, placeholder('afterId'))))
      .orderBy(asc(qrs.id))
      .limit(limit),
  );
  // An imported link has no image.
  const byIds = prepare((db) =>
    db
      .select(pick(qrs, 'name', 'destination', 'shortLink'))
      .from(qrs)
      .where(and(isOneOf(qrs.id, placeholder('ids')), isNotNull(qrs.designId))),
  );

  /** Yields the ids of the codes that have one of the names, in parts. */
  async function* idsOf(accountId: number, keys: readonly string[]): AsyncGenerator<number[]> {
    for (let at = 0; at < keys.length; at += namesPerRead) {
      const some = keys.slice(at, at + namesPerRead);
      const values = { accountId, keys: list(some), limit: codesPerRead + 1 };
      const found = (await ofNames.all(values)).map(({ id }) => id);
      if (found.length <= codesPerRead) yield found;
      // Many codes have the same name, or none.
      else for (const key of some) yield* idsOfName(accountId, key);
    }
  }

  async function* idsOfName(accountId: number, key: string): AsyncGenerator<number[]> {
    for (let afterId: number | null = 0; afterId !== null; ) {
      const values: Record<string, unknown> = { accountId, key, afterId, limit: codesPerRead };
      const ids: number[] = (await ofName.all(values)).map(({ id }) => id);
      yield ids;
      afterId = ids.length < codesPerRead ? null : (ids.at(-1) ?? null);
    }
  }

  return async <Asked extends SameCode>(accountId: number, asked: readonly Asked[]) => {
    const keys = [...new Set(asked.map(({ name }) => nameSortKey(name)))];
    const found = new Set<Asked>();
    const wanted = Map.groupBy(asked, keyOf);
    for await (const ids of idsOf(accountId, keys)) {
      if (ids.length === 0) continue;
      const codes = await byIds.all({ ids: list(ids) });
      for (const { shortLink, ...code } of codes)
        for (const one of wanted.get(keyOf(code)) ?? [])
          if (isAt(shortLink, one.domain)) found.add(one);
      await yieldToEventLoop();
    }
    return [...found];
  };
}

// Dense links are in capitals.
function isAt(shortLink: string, domain: string | undefined): boolean {
  return domain === undefined || shortLink.toLowerCase().startsWith(`${domain.toLowerCase()}/`);
}

const keyOf = ({ name, destination }: SameCode): string =>
  `${name === null ? '' : '='}${name ?? ''}\n${destination}`;
