import type { IdempotencyKey } from '../ports.ts';

/**
 * Names a POST by who sent it, its `Idempotency-Key` and its body (DESIGN, "POST retries"): another
 * body is another request. The parts are hashed with their lengths, so that no two can be confused.
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
