import { ValkeyUnusable } from '../../core/errors.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { errorMessage } from '../../lib/errors.ts';
import { explainFailure } from './handshake.ts';

/** A connection that is established again whenever it is lost. */
export interface Valkey {
  /**
   * Runs a Lua script, which sees and changes its keys in one step.
   *
   * @returns null while Valkey does not respond
   */
  run(script: Script, key: string, args: readonly number[]): Promise<readonly number[] | null>;
  /** Returns why Valkey is not used now, or null. */
  problem(): string | null;
  close(): void;
}

/** A Lua script that returns numbers. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

export function createScript(text: string): Script {
  return { text, sha1: Bun.CryptoHasher.hash('sha1', text, 'hex') };
}

// A request waits this long once; the following ones do not wait until Valkey responds again.
const deadlineMs = 500;
const connectTimeoutMs = 2000;
// Also the age from which a connection that closes is taken for an idle one. Servers close those after a second
// or more; one that closes each connection at once must not be asked again and again.
const retryDelayMs = 500;
const minVersion = 7;
/** Writes as the scripts do: a server whose memory or disk is full responds, but refuses that. */
const probe = "redis.call('RPUSH', KEYS[1], 1) return redis.call('PEXPIRE', KEYS[1], 1)";
const closed = 'the connection was lost';

/** Creates a client that connects once, see {@link openValkey}. */
async function connect(url: string): Promise<Bun.RedisClient> {
  const client = new Bun.RedisClient(url, {
    connectionTimeout: connectTimeoutMs,
    autoReconnect: false,
    enableOfflineQueue: false,
  });
  try {
    await withDeadline(connectTimeoutMs, () => client.connect());
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Returns the message of an error without the place in a script. */
function replyOf(error: unknown): string {
  return errorMessage(error).replace(/\.? script: .*/, '');
}

/** Returns why the server is unsuitable, from its INFO, or null. */
export function unsuitability(info: string): string | null {
  const lines = info.split(/\r?\n/);
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
  const version = Number.parseInt(field('valkey_version') || field('redis_version'), 10);
  if (version < minVersion)
    return `it is version ${version}, and Waymark needs Valkey, or Redis ${minVersion} or later. Upgrade it`;
  if (field('role') === 'slave') return 'it is a replica. Name the primary server';
  const policy = field('maxmemory_policy');
  if (Number(field('maxmemory')) > 0 && policy !== 'noeviction')
    return (
      `it forgets keys when its memory is full (maxmemory-policy ${policy}), and with them the requests that were ` +
      'counted. Set maxmemory-policy to noeviction, or use a server of its own'
    );
  return null;
}

/**
 * Opens a connection.
 * One that closes is established again at once, and requests wait for that. While Valkey does not respond, it is tried
 * twice a second.
 *
 * @param onChange called with the problem when Valkey cannot be used, and with null when it can again
 * @throws ValkeyUnusable when it responds and cannot be used: a wrong password, a replica, eviction
 */
export async function openValkey(
  url: string,
  onChange: (problem: string | null) => void = () => {},
): Promise<Valkey> {
  const address = new URL(url).host;
  let client: Bun.RedisClient | null = null;
  let problem: string | null = 'not connected yet';
  /** Resolves when a closed connection is established again, or given up. */
  let reopening: Promise<unknown> | null = null;
  let timer: Timer | null = null;
  let isClosed = false;

  const report = (cause: string | null) => {
    if (isClosed || problem === cause) return;
    problem = cause;
    onChange(cause);
  };

  const lose = (cause: string) => {
    const lost = client;
    client = null;
    lost?.close();
    if (isClosed) return;
    report(cause);
    timer ??= setTimeout(() => {
      timer = null;
      void open();
    }, retryDelayMs);
  };

  /** Returns why the server cannot be used although it responds, or null. */
  const open = async (): Promise<string | null> => {
    try {
      const opened = await connect(url);
      const info: unknown = await withDeadline(deadlineMs, () => opened.send('INFO', []));
      const unsuitable = unsuitability(String(info));
      if (unsuitable !== null || isClosed) {
        opened.close();
        if (unsuitable !== null) lose(unsuitable);
        return unsuitable;
      }
      await withDeadline(deadlineMs, () => opened.send('EVAL', [probe, '1', 'waymark:probe']));
      const sinceMs = performance.now();
      opened.onclose = () => {
        if (client !== opened) return;
        if (performance.now() - sinceMs < retryDelayMs) return lose(closed);
        client = null;
        reopening = withDeadline(deadlineMs, open).catch(() => report(closed));
      };
      client = opened;
      report(null);
      return null;
    } catch (error) {
      const { cause, isFinal } = await explainFailure(url, connectTimeoutMs);
      lose(cause ?? replyOf(error));
      return isFinal ? cause : null;
    }
  };

  const evaluate = async (
    on: Bun.RedisClient,
    { text, sha1 }: Script,
    rest: string[],
  ): Promise<unknown> => {
    try {
      return await on.send('EVALSHA', [sha1, ...rest]);
    } catch (error) {
      if (!errorMessage(error).startsWith('NOSCRIPT')) throw error;
      return on.send('EVAL', [text, ...rest]);
    }
  };

  const unusable = await open();
  const close = () => {
    isClosed = true;
    if (timer !== null) clearTimeout(timer);
    client?.close();
    client = null;
  };
  if (unusable !== null) {
    close();
    throw new ValkeyUnusable(`Valkey at ${address} cannot be used: ${unusable}.`);
  }

  return {
    run: async (script, key, args) => {
      const rest = ['1', key, ...args.map(String)];
      for (let attempt = 1; ; attempt++) {
        if (problem === null && client === null) await reopening;
        const on = client;
        if (on === null) return null;
        try {
          const result = await withDeadline(deadlineMs, () => evaluate(on, script, rest));
          return Array.isArray(result) ? result.map(Number) : [];
        } catch (error) {
          if (client === on) lose(replyOf(error));
          // The server closed the connection when this script was sent. It may have run: then it counts twice.
          if (problem !== null || attempt > 1) return null;
        }
      }
    },
    problem: () => problem,
    close,
  };
}
