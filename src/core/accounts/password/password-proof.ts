// Time to take the phone out and to open the app.
const lifetimeMs = 10 * 60_000;

/**
 * Proves that the password of an account was right, while its second factor is asked for. Signed with the hash of
 * the password, whose salt nobody else knows: nothing is stored, and a new password ends it.
 */
export function createPasswordProof(email: string, passwordHash: string, nowMs: number): string {
  return `${nowMs}.${macOf(email, passwordHash, nowMs)}.${email}`;
}

/** Returns the account that a text would be a proof for; empty if it is none. */
export function emailOfProof(proof: string): string {
  const [start] = /^\d{1,15}\.[\w-]{43}\./.exec(proof) ?? [];
  return start === undefined ? '' : proof.slice(start.length);
}

/** Returns whether a proof is valid. */
export function isPasswordProof(proof: string, passwordHash: string, nowMs: number): boolean {
  const atMs = Number.parseInt(proof, 10);
  const expected = createPasswordProof(emailOfProof(proof), passwordHash, atMs);
  const [given, right] = [Buffer.from(proof), Buffer.from(expected)];
  const isGenuine = given.length === right.length && crypto.timingSafeEqual(given, right);
  return isGenuine && nowMs - atMs <= lifetimeMs;
}

function macOf(email: string, passwordHash: string, atMs: number): string {
  const text = `password of ${email} at ${atMs}`;
  return new Bun.CryptoHasher('sha256', passwordHash).update(text).digest('base64url');
}
