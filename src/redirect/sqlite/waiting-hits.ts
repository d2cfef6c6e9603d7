import type { Database } from 'bun:sqlite';
import { startOfHour } from '../../core/scans/hit-counts.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { StatementId, WaitingHit, WaitingHits } from '../hits/waiting-hits.ts';
import { closingOnError, type Durability } from './connection.ts';
import { openOrReplaceHits, removeHits } from './hits-file.ts';
import { lock } from './lock.ts';

// A statement with so many takes some milliseconds.
const hitsPerStatement = 1000;
const retryIntervalMs = 1000;

// A code may have given its id to another one, so that it is part of the key.
const schema = `
  CREATE TABLE IF NOT EXISTS waiting_hits (
    key integer NOT NULL, hour integer NOT NULL, code text NOT NULL, at integer NOT NULL, hits integer NOT NULL,
    PRIMARY KEY (key, hour, code)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sent_hits (
    copy integer NOT NULL, number integer NOT NULL, key integer NOT NULL, code text NOT NULL, at integer NOT NULL,
    hits integer NOT NULL);
  CREATE INDEX IF NOT EXISTS sent_hits_by_statement ON sent_hits (copy, number)`;

/** Hits that are in memory because the file cannot be written. */
interface Kept {
  readonly hits: readonly WaitingHit[];
  readonly sent: StatementId | null;
}

/**
 * Creates the hits of a copy that wait for PostgreSQL, in `hits.db` of its data folder.
 * Those that were not sent are counted by code, kind and hour, so that the file is bounded by these. A file that is
 * damaged is put aside.
 */
export function createWaitingHits(
  dataFolder: string,
  { durability, log }: { readonly durability: Durability; readonly log: Logger },
): WaitingHits {
  let file: ReturnType<typeof openFile> | null = null;
  let kept: Kept[] = [];
  let size = 0;
  let problem: string | null = null;
  let retryAtMs = Number.NEGATIVE_INFINITY;

  /** Opens the file unless the last attempt has just failed. */
  const opened = () => {
    if (file !== null || performance.now() < retryAtMs) return file;
    try {
      file = openFile(dataFolder, durability, log);
      size += file.count();
      problem = null;
    } catch (error) {
      retryAtMs = performance.now() + retryIntervalMs;
      if (problem === null)
        log.warn('scans that PostgreSQL does not take would wait in memory', {
          cause: errorMessage(error),
        });
      problem = errorMessage(error);
    }
    return file;
  };
  /** Runs a write, after those that failed. Returns whether it succeeded. */
  const write = (run: (file: ReturnType<typeof openFile>) => void): boolean => {
    const open = opened();
    if (open === null) return false;
    try {
      open.database.transaction(() => {
        for (const one of kept) open.add(one);
        run(open);
      })();
      kept = [];
      problem = null;
      return true;
    } catch (error) {
      problem = errorMessage(error);
      return false;
    }
  };
  const sizeOf = (hits: readonly WaitingHit[]) => hits.reduce((sum, one) => sum + one.hits, 0);

  opened();
  return {
    add: (hits, sent) => {
      const added: Kept = { hits, sent };
      size += sizeOf(hits);
      if (!write((open) => open.add(added))) kept = merged([...kept, added]);
    },
    next: (copy, newId) => {
      const isUncertain = ({ sent }: Kept) => sent !== null;
      if (kept.length > 0 && !write(() => {})) {
        // Those without an id could be sent twice if this process were killed meanwhile, which loses them anyway.
        const one = kept.find(isUncertain) ?? kept[0];
        if (one === undefined) return null;
        const id = one.sent ?? newId();
        kept = kept.map((each) => (each === one ? { hits: one.hits, sent: id } : each));
        return { id, hits: one.hits };
      }
      const open = opened();
      if (open === null) return null;
      try {
        const id = open.sentBefore(copy) ?? open.send(newId);
        return id && { id, hits: open.hitsOf(id) };
      } catch (error) {
        problem = errorMessage(error);
        return null;
      }
    },
    done: (id) => {
      const isDone = ({ sent }: Kept) => sent?.copy === id.copy && sent.number === id.number;
      const inMemory = kept.filter(isDone);
      kept = kept.filter((one) => !isDone(one));
      for (const { hits } of inMemory) size -= sizeOf(hits);
      if (inMemory.length > 0) return;
      write((open) => {
        size -= sizeOf(open.hitsOf(id));
        open.forget(id);
      });
    },
    size: () => size,
    inMemory: () => kept.reduce((sum, { hits }) => sum + sizeOf(hits), 0),
    problem: () => problem,
    close: () => {
      write(() => {});
      const lost = kept.reduce((sum, { hits }) => sum + sizeOf(hits), 0);
      file?.close(size === 0);
      return lost;
    },
  };
}

/** Counts what was not sent by code, kind and hour. */
function merged(kept: readonly Kept[]): Kept[] {
  const counts = new Map<string, WaitingHit>();
  for (const { hits, sent } of kept)
    if (sent === null)
      for (const hit of hits) {
        const name = `${hit.key} ${startOfHour(hit.atMs)} ${hit.code}`;
        const earlier = counts.get(name);
        counts.set(name, {
          ...hit,
          atMs: Math.max(hit.atMs, earlier?.atMs ?? 0),
          hits: hit.hits + (earlier?.hits ?? 0),
        });
      }
  const sent = kept.filter((one) => one.sent !== null);
  return counts.size === 0 ? sent : [...sent, { hits: [...counts.values()], sent: null }];
}

/** Opens the file, which this process alone uses from then on. */
function openFile(dataFolder: string, durability: Durability, log: Logger) {
  const unlock = lock(dataFolder, 'redirects');
  try {
    const { database } = openOrReplaceHits(dataFolder, durability, log);
    return closingOnError(database, () => {
      database.run(schema);
      return { ...statementsOn(database), close: closer(dataFolder, database, unlock) };
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

function closer(dataFolder: string, database: Database, unlock: () => void) {
  return (isEmpty: boolean) => {
    database.close();
    if (isEmpty) removeHits(dataFolder);
    unlock();
  };
}

function statementsOn(database: Database) {
  const addWaiting = database.query(
    `INSERT INTO waiting_hits (key, hour, code, at, hits) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (key, hour, code) DO UPDATE SET at = max(at, ?4), hits = hits + ?5`,
  );
  const addSent = database.query(
    'INSERT INTO sent_hits (copy, number, key, code, at, hits) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const selectSent = database.query<StatementId, [number]>(
    'SELECT copy, number FROM sent_hits ORDER BY copy = ? DESC, rowid LIMIT 1',
  );
  const selectHits = database.query<WaitingHit, [number, number]>(
    'SELECT key, code, at AS atMs, hits FROM sent_hits WHERE copy = ? AND number = ?',
  );
  const selectFirst = `SELECT key, hour, code FROM waiting_hits ORDER BY key, hour, code LIMIT ${hitsPerStatement}`;
  const takeFirst = database.query<WaitingHit, []>(
    `DELETE FROM waiting_hits WHERE (key, hour, code) IN (${selectFirst})
       RETURNING key, code, at AS atMs, hits`,
  );
  const deleteSent = database.query('DELETE FROM sent_hits WHERE copy = ? AND number = ?');
  const countAll = database.query<{ hits: number | null }, []>(
    'SELECT sum(hits) AS hits FROM (SELECT hits FROM waiting_hits UNION ALL SELECT hits FROM sent_hits)',
  );
  const add = ({ hits, sent }: Kept) => {
    for (const { key, code, atMs, hits: count } of hits)
      if (sent === null) addWaiting.run(key, startOfHour(atMs), code, atMs, count);
      else addSent.run(sent.copy, sent.number, key, code, atMs, count);
  };
  return {
    database,
    add,
    count: () => countAll.get()?.hits ?? 0,
    sentBefore: (copy: number) => selectSent.get(copy),
    /** Makes a statement of hits that were not sent. Returns null if there are none. */
    send: (newId: () => StatementId): StatementId | null =>
      database.transaction(() => {
        const hits = takeFirst.all();
        if (hits.length === 0) return null;
        const sent = newId();
        add({ hits, sent });
        return sent;
      })(),
    hitsOf: ({ copy, number }: StatementId) => selectHits.all(copy, number),
    forget: ({ copy, number }: StatementId) => deleteSent.run(copy, number),
  };
}
