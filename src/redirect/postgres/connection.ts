import type { SQL } from 'bun';
import { withDeadline } from '../../lib/deadline.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

/** Connections to one database. Their pools can be replaced while in use. */
export interface Connection {
  readonly url: string;
  /** Returns the current pool. Not to be kept, see {@link Connection.reset}. */
  sql(): SQL;
  /**
   * Returns the current pool for look-ups by a key.
   * PostgreSQL runs those of one connection one after the other without switching processes, and they never wait behind
   * a longer statement.
   */
  lookUps(): SQL;
  /** Replaces the pools, whose connections may wait forever for a server that is gone. */
  reset(): void;
  /** Notes that the database did not respond, or could not be written. */
  noteOutage(): void;
  /** Returns how long ago the last outage was noticed, in milliseconds. */
  sinceOutageMs(): number;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Connections at the same time. */
  readonly max: number;
  /** Further connections for look-ups. Without, they share the others. */
  readonly maxLookUps?: number;
  /** After which PostgreSQL ends a statement; 0 for never. */
  readonly statementTimeoutMs: number;
  /** Further settings of the sessions. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Returns the password for a new connection; by default that of the URL. */
  readonly password?: () => string;
  /** Called when a connection can be used. */
  readonly onConnect?: () => void;
  /**
   * Whether statements are rejected while the database cannot be reached.
   * Otherwise each of them opens all connections of its pool again.
   */
  readonly isGuarded?: boolean;
}

/** Settings of every session, whatever the defaults of the database and the user. */
export const sessionSettings = {
  application_name: 'waymark',
  // A request would fail if the server ended its idle connection at that moment.
  idle_session_timeout: '0',
  // Transactions lock what they rely on. Stricter ones would fail beside others.
  default_transaction_isolation: 'read committed',
} as const;

// An index scan skips rows that were removed from the scan log. A sequential scan and a bitmap scan read them.
const lookUpSettings = { enable_seqscan: 'off', enable_bitmapscan: 'off' };

const connectTimeoutSeconds = 5;

const probeMs = 3000;

/** Creates the pools. They connect at their first statement. */
export function createConnection(url: string, options: PoolOptions): Connection {
  const { max, maxLookUps = 0, isGuarded = false } = options;
  let outageMs = Number.NEGATIVE_INFINITY;
  const noteOutage = () => {
    outageMs = performance.now();
  };
  const openAll = (): Pools => {
    let established = 0;
    const isCurrent = () => pools.sql === sql;
    const watch = {
      onConnect: () => {
        established++;
        options.onConnect?.();
      },
      onClose: (error: unknown) => {
        if (!isCurrent()) return;
        noteOutage();
        // One that could not be established.
        if (established === 0 && isGuarded) void circuit.open(error);
        established = Math.max(0, established - 1);
      },
    };
    const sql = openPool(url, max, { ...options, ...watch });
    const lookUps =
      maxLookUps > 0 ? openPool(url, maxLookUps, { ...options, ...watch }, lookUpSettings) : sql;
    return { sql, lookUps };
  };
  const closeAll = ({ sql, lookUps }: Pools, timeout: number) =>
    Promise.all([...new Set([sql, lookUps])].map((pool) => pool.close({ timeout })));
  let pools: Pools = { sql: rejecting, lookUps: rejecting };
  const replace = (replacement: Pools) => {
    const replaced = pools;
    pools = replacement;
    if (replaced.sql !== rejecting) closeAll(replaced, 0).catch(() => {});
  };
  const circuit = createCircuitBreaker({
    attempt: async () => {
      noteOutage();
      replace({ sql: rejecting, lookUps: rejecting });
      const probe = openPool(url, 1, { ...options, onConnect: () => {} });
      try {
        await withDeadline(probeMs, () => probe.unsafe('SELECT 1'));
      } finally {
        await probe.close({ timeout: 0 }).catch(() => {});
      }
    },
    onClose: () => replace(openAll()),
  });
  replace(openAll());
  return {
    url,
    sql: () => pools.sql,
    lookUps: () => pools.lookUps,
    reset: () => {
      if (isGuarded) void circuit.open(null);
      else replace(openAll());
    },
    noteOutage,
    sinceOutageMs: () => performance.now() - outageMs,
    close: async () => {
      circuit.end();
      const closed = pools;
      pools = { sql: rejecting, lookUps: rejecting };
      if (closed.sql !== rejecting) await closeAll(closed, 1);
    },
  };
}

interface Pools {
  readonly sql: SQL;
  readonly lookUps: SQL;
}

function openPool(
  url: string,
  max: number,
  { statementTimeoutMs, settings, password, onConnect, onClose }: WatchedOptions,
  more?: typeof lookUpSettings,
): SQL {
  return new Bun.SQL(url, {
    max,
    connectionTimeout: connectTimeoutSeconds,
    ...(password && { password }),
    onconnect: (error) => {
      if (error === null) onConnect?.();
    },
    onclose: (error) => onClose?.(error),
    connection: {
      ...sessionSettings,
      statement_timeout: String(statementTimeoutMs),
      ...settings,
      ...more,
    },
  });
}

interface WatchedOptions extends PoolOptions {
  readonly onClose?: (error: unknown) => void;
}

/** A pool that rejects every statement, as one does that cannot connect. */
const rejecting: SQL = (() => {
  const reject = () => {
    const error = Object.assign(new Error('PostgreSQL cannot be reached'), {
      code: 'ERR_POSTGRES_CONNECTION_REFUSED',
    });
    const rejection = Promise.reject(error);
    rejection.catch(() => {});
    return Object.assign(rejection, { values: () => rejection, simple: () => rejection });
  };
  // The cast is safe: no more of a pool is used.
  return { unsafe: reject, begin: reject, reserve: reject } as unknown as SQL;
})();
