// Time to take the phone out and to open the app.
const lifetimeMs = 10 * 60_000;

/** What a proof is for. One of a kind is none of another. */
export type ProofKind = 'password' | 'identity' | 'connection';

/**
 * Creates a text that proves something about an account while more is asked for.
 * It may prove that the password was right. Nothing is stored: a secret of the account signs the text, which is invalid
 * once the secret changes.
 *
 * @param key such as the hash of the password, whose salt nobody else knows
 */
export function createProof(kind: ProofKind, text: string, key: string, nowMs: number): string {
  const signed = `${kind} of ${text} at ${nowMs}`;
  const mac = new Bun.CryptoHasher('sha256', key).update(signed).digest('base64url');
  return `${nowMs}.${mac}.${text}`;
}

/** Returns the text of a proof, which may be made up, see {@link isGenuine}; empty if it is none. */
export function textOfProof(proof: string): string {
  const [start] = /^\d{1,15}\.[\w-]{43}\./.exec(proof) ?? [];
  return start === undefined ? '' : proof.slice(start.length);
}

/** Returns whether a proof was made with a key, and a short time ago. */
export function isGenuine(kind: ProofKind, proof: string, key: string, nowMs: number): boolean {
  const atMs = Number.parseInt(proof, 10);
  const expected = createProof(kind, textOfProof(proof), key, atMs);
  const [given, right] = [Buffer.from(proof), Buffer.from(expected)];
  const isSame = given.length === right.length && crypto.timingSafeEqual(given, right);
  // The clock of another copy may be ahead, and one that was wrong may have been set back.
  return isSame && Math.abs(nowMs - atMs) <= lifetimeMs;
}
