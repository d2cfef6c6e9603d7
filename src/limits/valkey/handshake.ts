import { withDeadline } from '../../lib/deadline.ts';

/** Why a connection fails. */
interface Failure {
  /** Null if it does not fail any more. */
  readonly cause: string | null;
  /** Whether it will fail again until somebody changes a setting. */
  readonly isFinal: boolean;
}

/** Finds out why a connection fails, which the client of Bun does not report. */
export async function explainFailure(url: string, timeoutMs: number): Promise<Failure> {
  const { hostname, port, username, password, protocol } = new URL(url);
  const credentials = [username, password].filter((part) => part !== '').map(decodeURIComponent);
  const { promise: reply, resolve, reject } = Promise.withResolvers<string>();
  try {
    const received = await withDeadline(timeoutMs, async () => {
      const socket = await Bun.connect({
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port || 6379),
        tls: /^(rediss|valkeys):$/.test(protocol),
        socket: {
          data: (_, bytes) => resolve(bytes.toString()),
          close: () => reject(new Error('the server closes the connection')),
          error: (_, error) => reject(error),
        },
      });
      try {
        socket.write(credentials.length > 0 ? command('AUTH', ...credentials) : command('PING'));
        return await reply;
      } finally {
        socket.end();
      }
    });
    if (!received.startsWith('-')) return { cause: null, isFinal: false };
    const [message = ''] = received.slice(1).split('\r\n');
    const isPassword = /^(WRONGPASS|NOAUTH|ERR AUTH|ERR Client sent AUTH)/.test(message);
    const advice = 'Check the user and the password in WAYMARK_VALKEY_URL';
    return { cause: isPassword ? `${message} ${advice}` : message, isFinal: isPassword };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { cause: `it does not respond (${cause})`, isFinal: false };
  }
}

/** Returns a command in the protocol of Valkey (RESP). */
function command(...words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join('')}`;
}
