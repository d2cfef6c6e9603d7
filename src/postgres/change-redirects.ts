import { type SQL, sql } from 'drizzle-orm';
import { OutcomeUnknown } from '../core/errors.ts';
import type { Connection } from '../redirect/postgres/connection.ts';
import { postgresMessage, sqlState } from '../redirect/postgres/errors.ts';
import { changesChannel } from '../redirect/postgres/redirect-version.ts';
import type { RedirectChange } from '../sql/dialect.ts';
import type { DrizzleConnection, Transaction } from './database/drizzle.ts';

/**
 * Runs a transaction that changes redirects.
 * Every redirect that begins after it, at any copy, follows the change.
 */
export type ChangeRedirects = <T>(
  run: (transaction: Transaction) => Promise<RedirectChange<T>>,
) => Promise<T>;

// PostgreSQL rejects a payload of 8,000 bytes.
const maxPayloadBytes = 7999;

// A copy that missed more of them forgets all codes.
const keptSteps = 1000;
/**
 * After an outage, a copy may need so long to notice that the database responds.
 * Its redirects come from memory until then.
 */
const recoveryMs = 2500;
/** The error of a server that is not the primary yet. */
const readOnly = '25006';

// More are stored as "all", so that the kept steps are a few megabytes at most.
const maxCodesPerStep = 100;

/**
 * Creates the function that changes redirects.
 * The last statement of the transaction makes the next version. It locks the version until the commit, so that versions
 * become visible in their order.
 *
 * Also notifies the copies. Nothing depends on that while PostgreSQL responds. But if it goes away right after a change
 * was answered, it is why the others do not redirect to the former destination meanwhile. So a change is answered only
 * when PostgreSQL has outlived its commit. The session that commits may itself outlive PostgreSQL; an idle one does not.
 * And it is answered when the other copies have had the time to notice that an outage is over.
 *
 * @param idle has other sessions, which are mostly idle
 */
export function createChangeRedirects(
  drizzle: DrizzleConnection,
  idle: DrizzleConnection,
  { noteOutage, sinceOutageMs }: Pick<Connection, 'noteOutage' | 'sinceOutageMs'>,
): ChangeRedirects {
  return async (run) => {
    const { codes, result } = await drizzle.transaction(async (transaction) => {
      const change = await run(transaction).catch((error: unknown) => {
        if (sqlState(error) === readOnly) noteOutage();
        throw error;
      });
      if (change.codes.length > 0) await transaction.execute(nextVersion(change.codes));
      return change;
    });
    if (codes.length === 0) return result;
    await idle.execute('SELECT 1').catch(throwOutcomeUnknown);
    const restMs = recoveryMs - sinceOutageMs();
    if (restMs > 0) await Bun.sleep(restMs);
    return result;
  };
}

function throwOutcomeUnknown(error: unknown): never {
  throw new OutcomeUnknown('The database was lost after a change was made.', {
    cause: new Error(postgresMessage(error)),
  });
}

/**
 * Makes the next version and removes the oldest kept step.
 * Versions count in steps of 2^20, and the rest is random: after a failover that has lost changes, their versions are
 * not given to other changes.
 */
function nextVersion(codes: readonly string[]): SQL {
  const stored = codes.length > maxCodesPerStep ? null : JSON.stringify(codes);
  const isShort = stored !== null && Buffer.byteLength(stored) <= maxPayloadBytes;
  return sql`
    WITH next AS (
      UPDATE redirect_version
      SET version = (((version >> 20) + 1) << 20) + floor(random() * 1048576)::bigint
      RETURNING version
    ), removed AS (
      DELETE FROM redirect_steps WHERE version BETWEEN
        (SELECT ((version >> 20) - ${sql.raw(String(keptSteps))}) << 20 FROM next) AND
        (SELECT (((version >> 20) - ${sql.raw(String(keptSteps))}) << 20) + 1048575 FROM next)
    )
    INSERT INTO redirect_steps (version, codes) SELECT version, ${stored}::text FROM next
    RETURNING pg_notify(${changesChannel}, ${isShort ? stored : ''})`;
}
