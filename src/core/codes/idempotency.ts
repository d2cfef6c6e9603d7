/** How long a repeated POST with an equal key returns the first result (DESIGN, "POST retries"). */
export const idempotencyWindowMs = 24 * 3_600_000;

/** Expired keys that a create deletes: more than it adds, and few enough to stay short. */
export const expiredKeysPerCreate = 100;

/** Identifies a repeated POST: a digest of API key, `Idempotency-Key` header and body. */
export interface IdempotencyKey {
  readonly digest: Uint8Array;
  readonly atMs: number;
}

/**
 * Computes the idempotency key of a POST (DESIGN, "POST retries"). Another body is another request.
 * Each part is hashed with its length, so that different parts cannot collide.
 */
export function idempotencyKey(
  keyHash: string,
  header: string,
  body: Uint8Array,
  atMs: number,
): IdempotencyKey {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const part of [keyHash, header]) hasher.update(`${part.length}:${part}`);
  hasher.update(body);
  return { digest: new Uint8Array(hasher.digest()), atMs };
}
