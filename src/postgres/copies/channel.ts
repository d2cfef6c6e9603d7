/**
 * Messages between copies, through LISTEN and NOTIFY of PostgreSQL. Every copy gets every message.
 *
 * `change ORIGIN TOKEN CODE…` asks all copies to drop codes from memory, all codes if none is named.
 * `seen ORIGIN TOKEN MEMBERSHIP` is the response of a member that has done so.
 */
export type Message =
  | {
      readonly type: 'change';
      readonly origin: number;
      readonly token: number;
      readonly codes: readonly string[];
    }
  | {
      readonly type: 'seen';
      readonly origin: number;
      readonly token: number;
      readonly membership: number;
    };

export const channel = 'waymark_copies';

// PostgreSQL rejects a payload of 8,000 bytes.
const maxPayloadBytes = 7900;

/** Returns the payload of a message. Too many codes become all codes. */
export function formatMessage(message: Message): string {
  const { type, origin, token } = message;
  if (message.type === 'seen') return `${type} ${origin} ${token} ${message.membership}`;
  const head = `${type} ${origin} ${token}`;
  // A path of an imported link may contain any character but a space.
  const payload = [head, ...message.codes].join(' ');
  return Buffer.byteLength(payload) > maxPayloadBytes ? head : payload;
}

/** Parses a payload, or returns null when it is none of this version. */
export function parseMessage(payload: string): Message | null {
  const [type, originText, tokenText, ...rest] = payload.split(' ');
  const [origin, token] = [Number(originText), Number(tokenText)];
  if (!Number.isSafeInteger(origin) || !Number.isSafeInteger(token)) return null;
  if (type === 'change') return { type, origin, token, codes: rest };
  if (type === 'seen') return { type, origin, token, membership: Number(rest[0]) };
  return null;
}
