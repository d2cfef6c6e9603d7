import { SQL } from 'bun';
import { DatabaseUnusable } from '../../core/errors.ts';
import { databaseName, sessionModeAdvice } from '../../redirect/postgres/errors.ts';

const connectTimeoutSeconds = 5;

/**
 * Checks that each connection has a session of PostgreSQL for itself, whose locks, LISTEN and prepared statements stay.
 * A pooler in transaction mode gives each transaction a session that is free: the last one that was used, so that
 * another connection gets it, or each in turn.
 *
 * @param password returns that of a new connection
 * @throws DatabaseUnusable when it has none
 */
export async function requireOwnSessions(url: string, password?: () => string): Promise<void> {
  const open = () =>
    new SQL(url, {
      max: 1,
      connectionTimeout: connectTimeoutSeconds,
      prepare: false,
      ...(password && { password }),
    });
  const sessionOf = async (sql: Pick<SQL, 'unsafe'>): Promise<number | undefined> =>
    (await sql.unsafe<{ pid: number }[]>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
  const [one, other] = [open(), open()];
  try {
    const first = await sessionOf(one);
    const isKept = (await sessionOf(one)) === first;
    const isOwn = await other.begin(
      async (transaction) =>
        (await sessionOf(transaction)) !== first && (await sessionOf(one)) === first,
    );
    if (!isKept || !isOwn)
      throw new DatabaseUnusable(
        `The database ${databaseName(url)} is behind a connection pooler in transaction mode. ${sessionModeAdvice}`,
      );
  } finally {
    await Promise.all([one.close({ timeout: 0 }), other.close({ timeout: 0 })]);
  }
}
