/** How long a repeated POST with an equal key returns the first result (DESIGN, "POST retries"). */
export const idempotencyWindowMs = 24 * 3_600_000;

/** Expired keys that a create deletes: more than it adds, and few enough to stay short. */
export const expiredKeysPerCreate = 100;

/** Identifies a repeated request: a digest of its sender, its key and what it asks for. */
export interface IdempotencyKey {
  readonly digest: Uint8Array;
  readonly atMs: number;
}

/**
 * Computes the idempotency key of a request (DESIGN, "POST retries").
 * One that asks for something else is another request. Each part is hashed with its length, so that different parts
 * cannot collide.
 *
 * @param sender an account, and the form if it is one of the panel
 * @param key the `Idempotency-Key` header, or the token of a form
 * @param content what was asked for, parsed: the same in any spelling of JSON
 */
export function idempotencyKey(
  sender: string,
  key: string,
  content: string,
  atMs: number,
): IdempotencyKey {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const part of [sender, key]) hasher.update(`${part.length}:${part}`);
  hasher.update(content);
  return { digest: new Uint8Array(hasher.digest()), atMs };
}
