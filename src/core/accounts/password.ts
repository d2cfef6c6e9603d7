/** Minimum length of a password. There are no other requirements (NIST SP 800-63B). */
export const minPasswordLength = 10;
// Bounds the work of a request.
const maxPasswordLength = 256;

/** Returns what is wrong with a new password, or null. */
export function passwordProblem(password: string): string | null {
  if (password.length < minPasswordLength)
    return `The password must have at least ${minPasswordLength} characters.`;
  if (password.length > maxPasswordLength)
    return `The password must have at most ${maxPasswordLength} characters.`;
  return null;
}

/** Hashes a password with argon2id. The result contains salt and parameters. Runs off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, { algorithm: 'argon2id' });
}

/** Returns whether a password matches a hash. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  return Bun.password.verify(password.slice(0, maxPasswordLength + 1), hash);
}
