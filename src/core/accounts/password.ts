/** Shortest password; length is what guards against guessing, so nothing else is asked of it. */
export const shortestPassword = 10;
// argon2id takes any length; the bound keeps a request from making it hash megabytes.
const longestPassword = 256;

/** What is wrong with a new password, or null when it will do. */
export function passwordProblem(password: string): string | null {
  if (password.length < shortestPassword)
    return `The password must have at least ${shortestPassword} characters.`;
  if (password.length > longestPassword)
    return `The password must have at most ${longestPassword} characters.`;
  return null;
}

/** The password as argon2id, with its salt and parameters. Takes some 100 ms off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, { algorithm: 'argon2id' });
}

/** Whether a password is the one that was hashed. A longer one than may be set is none. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  return Bun.password.verify(password.slice(0, longestPassword + 1), hash);
}
