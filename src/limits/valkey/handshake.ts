import { withDeadline } from '../../lib/deadline.ts';
import { errorMessage } from '../../lib/errors.ts';

/** Why a connection fails. */
interface Failure {
  /** Null if it does not fail any more. */
  readonly cause: string | null;
  /** Whether it will fail again until somebody changes a setting. */
  readonly isFinal: boolean;
}

/** What an operator has to change, by the beginning of the error reply. */
const advices: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR Client sent AUTH)/,
    'Check the user and the password in WAYMARK_VALKEY_URL',
  ],
  [
    /^ERR (?:invalid )?DB index/,
    'Check the number of the database at the end of WAYMARK_VALKEY_URL',
  ],
];

/**
 * Finds out why a connection fails:
 * Bun.RedisClient of Bun 1.4.5 says "Connection closed" to a wrong password and to a port on which nothing listens
 * alike. An operator could not tell what to change.
 */
export async function explainFailure(url: string, timeoutMs: number): Promise<Failure> {
  const { hostname, port, username, password, protocol, pathname } = new URL(url);
  const credentials = [username, password].filter((part) => part !== '').map(decodeURIComponent);
  const database = pathname.slice(1);
  const commands = [
    ...(credentials.length > 0 ? [command('AUTH', ...credentials)] : []),
    ...(database !== '' ? [command('SELECT', database)] : []),
    command('PING'),
  ];
  const { promise: replies, resolve, reject } = Promise.withResolvers<string[]>();
  let text = '';
  // Each reply is a line.
  const received = () => text.split('\r\n').slice(0, -1);
  try {
    const lines = await withDeadline(timeoutMs, async () => {
      const socket = await Bun.connect({
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port || 6379),
        tls: /^(rediss|valkeys):$/.test(protocol),
        socket: {
          data: (_, bytes) => {
            text += bytes.toString();
            if (received().length >= commands.length) resolve(received());
          },
          close: () =>
            received().length > 0
              ? resolve(received())
              : reject(new Error('the server closes the connection')),
          error: (_, error) => reject(error),
        },
      });
      try {
        socket.write(commands.join(''));
        return await replies;
      } finally {
        socket.end();
      }
    });
    const message = lines.find((line) => line.startsWith('-'))?.slice(1);
    if (message === undefined) return { cause: null, isFinal: false };
    const advice = advices.find(([pattern]) => pattern.test(message))?.[1];
    return advice === undefined
      ? { cause: message, isFinal: false }
      : { cause: `${message.replace(/\.$/, '')}. ${advice}`, isFinal: true };
  } catch (error) {
    return { cause: `it does not respond (${errorMessage(error)})`, isFinal: false };
  }
}

/** Returns a command in the protocol of Valkey (RESP). */
function command(...words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join('')}`;
}
