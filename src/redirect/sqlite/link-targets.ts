import type { Database } from 'bun:sqlite';
import { formatCodeNumber, parseCode } from '../../core/codes/code.ts';
import {
  foldPath,
  formsOf,
  keysOf,
  type LinkForms,
  linkMeant,
  type NamedLink,
} from '../../core/codes/urls/resolve.ts';
import { createCache } from '../../lib/cache.ts';
import { locationHeader } from '../link-outcome.ts';
import {
  changedCodes,
  domainsByHost,
  isDomainStep,
  keyOfCode,
  keysOfCode,
  type LinkDomain,
  type PausedPageRow,
  type RedirectStep,
  selectDomains,
  selectPausedPage,
  toPausedPage,
} from '../look-ups.ts';
import type { FollowedLink, LinkStore, LinkTarget } from '../storage.ts';
import type { Connection } from './connection.ts';
import type { DamageMonitor } from './damage.ts';
import { readableRows } from './damage.ts';
import { sqliteCode } from './errors.ts';
import type { HitLog } from './hit-log.ts';

export interface SqliteLinkStore extends LinkStore {
  /**
   * Makes the next look-up read what has changed.
   * To be called when a change was committed since this turn of the event loop began, before the change is answered.
   */
  refresh(): void;
}

type LinkRow = Omit<LinkTarget, 'location' | 'passesQuery'> & {
  readonly destination: string;
  readonly query: string | null;
};

// About 20 MB with destinations of common length.
const cachedTargets = 50_000;

const unknown: FollowedLink = { ready: null, target: null };

const unreadable: FollowedLink = { ready: null, target: 'unavailable' };

/**
 * Creates the cached look-up of redirect targets.
 * Each hit is appended to the log of hits. The cache follows `redirect_steps`, which is read when `PRAGMA data_version`
 * shows that another connection has changed the database. That is read once per event-loop tick only, because it takes
 * as long as a look-up.
 *
 * Where the database is damaged, a code whose row can be read still redirects.
 */
export function createLinkStore(
  { $client }: Connection,
  hits: Pick<HitLog, 'record'>,
  damage: DamageMonitor,
): SqliteLinkStore {
  // With a join in place of the inner SELECT, SQLite would prepare it again at each run.
  const selectLink = (query: string) =>
    $client.query<LinkRow, [string]>(
      `SELECT id AS qrId, destination, status, ${query} AS query, ` +
        '(SELECT list FROM flags WHERE qr_id = qrs.id) AS flaggedBy FROM qrs WHERE code = ?',
    );
  /** Null for the schema of an earlier version, until the app has migrated it. */
  const selectCurrent = () => {
    try {
      return selectLink('query');
    } catch (error) {
      if (!damage.note(error) && sqliteCode(error) !== 'SQLITE_ERROR') throw error;
      return null;
    }
  };
  let current = selectCurrent();
  let select = current ?? selectLink('NULL');
  let domains = readDomains($client, damage);
  const dataVersion = $client.query<{ data_version: number }, []>('PRAGMA data_version');
  const cache = createCache<number | string, LinkTarget>(cachedTargets);
  /** The version of the database when `redirect_steps` was last read. */
  let seenVersion: number | undefined;
  /** The last step that the cache follows; null when it has to be cleared. */
  let seenStep: number | null = null;
  let isCheckedThisTick = false;

  const followChanges = () => {
    if (isCheckedThisTick) return;
    isCheckedThisTick = true;
    setImmediate(() => {
      isCheckedThisTick = false;
    });
    const version = readVersion();
    if (version !== undefined && version === seenVersion) return;
    current ??= selectCurrent();
    select = current ?? select;
    const steps = readSteps($client, damage, seenStep);
    const last = steps.at(-1)?.version ?? null;
    const codes = last === null ? null : changedCodes(seenStep, steps, last);
    if (codes === null || codes.some(isDomainStep)) domains = readDomains($client, damage);
    if (codes === null) cache.clear();
    else for (const key of codes.flatMap(keysOfCode)) cache.delete(key);
    seenStep = last;
    seenVersion = version;
  };
  const readVersion = () => {
    try {
      return dataVersion.get()?.data_version;
    } catch (error) {
      if (!damage.note(error)) throw error;
      return seenVersion;
    }
  };

  const salvage = createSalvagedLinks($client, damage);
  const read = (code: string): LinkRow | 'unavailable' | null => {
    try {
      const row = select.get(code);
      // A damaged index may lack codes.
      return row === null && damage.isFound() ? salvage(code) : row;
    } catch (error) {
      if (!damage.note(error)) throw error;
      return salvage(code) ?? 'unavailable';
    }
  };

  const find = (key: number | string): LinkTarget | 'unavailable' | null => {
    followChanges();
    return typeof key === 'number' ? findCode(key) : (cache.get(key) ?? findPath(key));
  };
  /** Returns the target of a path, which is looked up each time: targets are cached by their codes. */
  const findPath = (path: string): LinkTarget | 'unavailable' | null => {
    try {
      const folded = foldPath(path);
      const first = $client.query<NamedLink, [string, string]>(selectByPath).get(path, folded);
      if (first?.path === path) return findCode(keyOfCode(first.code));
      const keys = keysOf(path);
      const named = readNamed($client, formsOf(keys), first === null ? folded : null);
      const link = linkMeant(keys, named);
      if (link !== null) return findCode(keyOfCode(link.code));
    } catch (error) {
      // The schema of an earlier version has no folded paths.
      if (!damage.note(error) && sqliteCode(error) !== 'SQLITE_ERROR') throw error;
      return findCode(path);
    }
    // A damaged index may lack it.
    return damage.isFound() ? findCode(path) : null;
  };
  const findCode = (key: number | string): LinkTarget | 'unavailable' | null => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const row = read(typeof key === 'number' ? formatCodeNumber(key) : key);
    if (row === null || row === 'unavailable') return row;
    const { destination, query, ...link } = row;
    const target = { ...link, location: locationHeader(destination), passesQuery: query === 'on' };
    cache.set(key, target);
    return target;
  };

  return {
    follow: (key, kind, atMs, flaggedKind = kind) => {
      const target = find(key);
      if (target === null) return unknown;
      if (target === 'unavailable') return unreadable;
      if (target.status !== 'active') return { ready: null, target };
      const recorded = target.flaggedBy === null ? kind : flaggedKind;
      return { ready: hits.record(target.qrId, recorded, atMs), target };
    },
    pausedPage: async (qrId) => {
      try {
        const row = $client.query<PausedPageRow, [number]>(selectPausedPage('?')).get(qrId);
        return row && toPausedPage(row);
      } catch (error) {
        damage.note(error);
        return null;
      }
    },
    domainOf: (host) => {
      followChanges();
      return domains.get(host) ?? null;
    },
    hasNonce: async (nonce) => {
      try {
        const select = 'SELECT 1 FROM domain_checks WHERE nonce = ?';
        return $client.query(select).get(nonce) !== null;
      } catch (error) {
        damage.note(error);
        return false;
      }
    },
    refresh: () => {
      isCheckedThisTick = false;
      seenVersion = undefined;
    },
  };
}

// Links with one folded name: two say that it means none. Where so many are, the exact one may be another.
const maxAlike = 16;

const selectNames =
  'SELECT code, path, folded_code AS foldedCode, folded_path AS foldedPath FROM qrs';
/** Selects a link by its path before those by their folded names. Most often there is none of them. */
const selectByPath = `${selectNames} WHERE path = ?1 UNION ALL ${selectNames} WHERE folded_code = ?2
  UNION ALL ${selectNames} WHERE folded_path = ?2 LIMIT 1`;
const selectByFolded = `${selectNames} WHERE folded_code = ?1
  UNION ALL ${selectNames} WHERE folded_path = ?1 LIMIT ${maxAlike}`;
const selectByExact = `${selectNames} WHERE code = ?1 UNION ALL ${selectNames} WHERE path = ?1`;

/**
 * Reads the links that have some names.
 *
 * @param absent a folded name that no link has
 */
function readNamed(
  database: Database,
  { exact, folded }: LinkForms,
  absent: string | null,
): NamedLink[] {
  const found: NamedLink[] = [];
  const add = (select: string, form: string) => {
    const statement = database.query<NamedLink, [string]>(select);
    // Most often there is none, which `get` finds out in half the time.
    if (statement.get(form) === null) return;
    for (const link of statement.all(form))
      if (!found.some(({ code }) => code === link.code)) found.push(link);
  };
  for (const form of folded) if (form !== absent) add(selectByFolded, form);
  for (const form of exact) {
    // How other letters fold may change with Unicode. What was printed is found all the same.
    const isFolded = found.length < maxAlike && /^[\0-\x7f]*$/.test(form);
    if (!isFolded || parseCode(form) === form) add(selectByExact, form);
  }
  return found;
}

/** Reads the domains beside the main one. The schema of an earlier version has none. */
function readDomains(database: Database, damage: DamageMonitor): ReadonlyMap<string, LinkDomain> {
  try {
    return domainsByHost(database.query<LinkDomain & { url: string }, []>(selectDomains).all());
  } catch (error) {
    if (!damage.note(error) && sqliteCode(error) !== 'SQLITE_ERROR') throw error;
    return new Map();
  }
}

/** Reads the steps since one. Returns none if they cannot be read, as on a schema that lacks the table. */
function readSteps(
  database: Database,
  damage: DamageMonitor,
  since: number | null,
): RedirectStep[] {
  try {
    return database
      .query<{ id: number; code: string | null }, [number | null]>(
        'SELECT id, code FROM redirect_steps WHERE id >= coalesce(?, (SELECT max(id) FROM redirect_steps)) ORDER BY id',
      )
      .all(since)
      .map(({ id, code }) => ({ version: id, codes: code === null ? null : [code] }));
  } catch (error) {
    if (!damage.note(error) && sqliteCode(error) !== 'SQLITE_ERROR') throw error;
    return [];
  }
}

/**
 * Creates a look-up that needs no index.
 * Its first use reads the whole table, which takes a second for a million codes.
 *
 * @returns a function that returns null when the row cannot be read
 */
function createSalvagedLinks(
  database: Database,
  damage: DamageMonitor,
): (code: string) => LinkRow | null {
  let rowids: Map<string, number> | null = null;
  const byRowid = database.query<Omit<LinkRow, 'flaggedBy'>, [number]>(
    'SELECT id AS qrId, destination, status, NULL AS query FROM qrs NOT INDEXED WHERE id = ?',
  );
  const listOf = database.query<{ list: string }, [number]>(
    'SELECT list FROM flags WHERE qr_id = ?',
  );
  const orNull = <T>(get: () => T | null): T | null => {
    try {
      return get();
    } catch (error) {
      if (!damage.note(error)) throw error;
      return null;
    }
  };
  return (code) => {
    rowids ??= readRowids(database);
    const rowid = rowids.get(code);
    const row = rowid === undefined ? null : orNull(() => byRowid.get(rowid));
    return row ? { ...row, flaggedBy: orNull(() => listOf.get(row.qrId))?.list ?? null } : null;
  };
}

/** Returns the rowids of all codes that can be read. */
function readRowids(database: Database): Map<string, number> {
  const rowids = new Map<string, number>();
  for (const { code, rowid } of readableRows<{ code: string }>(database, 'qrs', 'code'))
    rowids.set(code, rowid);
  return rowids;
}
