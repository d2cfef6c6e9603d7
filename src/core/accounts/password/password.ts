import { Refused } from '../../errors.ts';
import { createFairQueue, type FairQueue, type Requester } from '../../fair-queue.ts';
import type { PasswordReason } from '../../reasons.ts';
import { isGuessablePassword, repeatedPart } from './guessable-password.ts';

/**
 * Minimum length of a password.
 * Besides, it must not be common (NIST SP 800-63B); there are no rules of characters.
 */
export const minPasswordLength = 10;
// Bounds the work of a request.
const maxPasswordLength = 256;

/**
 * Returns what is wrong with a new password, or null.
 *
 * @param email of its account, or null when it is not known yet
 */
export function passwordProblem(password: string, email: string | null): PasswordReason | null {
  if (password.length < minPasswordLength)
    return { kind: 'password too short', minLength: minPasswordLength };
  if (password.length > maxPasswordLength)
    return { kind: 'password too long', maxLength: maxPasswordLength };
  const names = ['waymark', ...(email === null ? [] : [email, ...email.split('@')])];
  const isRepetition = repeatedPart(password.toLowerCase()).length < minPasswordLength;
  if (isRepetition || isGuessablePassword(password, names)) return { kind: 'guessable password' };
  return null;
}

/**
 * Returns the password in a file or standard input, without the end of its line.
 * Null for one that nobody could type in the browser: in another encoding, or of several lines.
 */
export function parsePassword(bytes: Uint8Array): string | null {
  // Without the byte order mark of an editor.
  const password = new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
  return /[\p{Cc}\ufffd]/u.test(password) ? null : password;
}

/** Accepts a new password. @throws Refused */
export function requirePassword(text: string): string {
  const problem = passwordProblem(text, null);
  if (problem !== null) throw new Refused(problem);
  return text;
}

// OWASP's smallest profile for argon2id: one verification fits into a server with 128 MB. Bun's parallelism is 1.
const profile = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const profilePrefix = `$argon2id$v=19$m=${profile.memoryCost},t=${profile.timeCost},p=1$`;

/**
 * Creates the queue of work with passwords.
 * One at a time, because each takes 19 MB, a processor and 30 ms.
 */
export function createPasswordQueue(): FairQueue {
  return createFairQueue({ slots: 1, slotsPerOwner: 1, maxWaiting: 64, maxWaitingPerOwner: 16 });
}

/**
 * Returns the requester of work for somebody who is not known.
 * All of them together take turns with the accounts, and one with the next: networks of IPv6, the networks in them and
 * addresses, because a client has many.
 *
 * @param network an IPv4 address, or the /64 prefix of an IPv6 address
 */
export function strangerIn(network: string, signal?: AbortSignal): Requester {
  const groups = network.split(':');
  const outer = groups.length === 1 ? [] : [2, 3].map((count) => groups.slice(0, count).join(':'));
  return { owner: ['strangers', ...outer, network], ...(signal && { signal }) };
}

/**
 * Hashes a password with argon2id.
 * The result contains salt and parameters. Runs off the main thread; a server calls it in turns, see {@link
 * createPasswordQueue}.
 */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, profile);
}

// In KiB: Bun's default, the profile of earlier versions. A verification takes what the hash says.
const largestMemoryCost = 65_536;
// Both profiles have two passes, and salts and hashes of 32 bytes.
const hashPattern =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=[12],p=1(?:\$[A-Za-z\d+/]{42}[AEIMQUYcgkosw048]){2}$/;

/** Returns whether a hash costs no more to verify than those of this and earlier versions. */
export function isVerifiableHash(hash: string): boolean {
  const memoryCost = Number(hashPattern.exec(hash)?.[1]);
  // argon2 needs eight blocks of a KiB.
  return memoryCost >= 8 && memoryCost <= largestMemoryCost;
}

// The hash of a random password, with the current profile.
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$vMz6l3QxkCDhOR6LUsNp3Ds8/8ND5gJjtD1wgJ3kTk4$' +
  'nRz7Z2hRp1iQLtV3ObDyfRk95rrMDoHoStRdlPTwt6c';

/**
 * Returns whether a password matches a hash.
 * Without a hash, and with one that {@link isVerifiableHash} refuses, it takes as long and never does. Runs off the
 * main thread, see {@link hashPassword}.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const own = hash !== null && isVerifiableHash(hash) ? hash : decoyHash;
  const text = password.slice(0, maxPasswordLength + 1);
  return (await Bun.password.verify(text, own)) && own !== decoyHash;
}

/** Returns whether a hash has the parameters of an earlier version, and should be computed again. */
export function isOutdatedHash(hash: string): boolean {
  return !hash.startsWith(profilePrefix);
}
