/**
 * API keys (SPEC, "Authentication"): `<prefix>_<40 hex>`, shown once. Only the SHA-256 of the whole
 * key is kept, which is enough for 160 random bits, and looking a key up by its digest compares no
 * secret byte by byte.
 */
export interface NewKey {
  /** The key itself. It exists here and on the holder's side, nowhere else. */
  readonly key: string;
  readonly hash: string;
  /** To recognise the key by in the panel. */
  readonly lastFour: string;
}

/** What is kept of an account's key. */
export interface KeyRecord {
  readonly accountId: number;
  /** Names its rate window; cannot be turned back into the key. */
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

const secretBytes = 20;

/** A fresh key from a cryptographic source, with what is to be kept of it. */
export function newKey(prefix: string, randomBytes: (length: number) => Uint8Array): NewKey {
  const key = `${prefix}_${randomBytes(secretBytes).toHex()}`;
  return { key, hash: hashKey(key), lastFour: key.slice(-4) };
}

/** SHA-256 of a key, in hexadecimal. */
export function hashKey(key: string): string {
  return Bun.CryptoHasher.hash('sha256', key, 'hex');
}

// Longer than any prefix that the configuration allows: what exceeds it is refused unread.
const longestHeader = 128;

/**
 * The key in an `Authorization` header, or null. The scheme is compared without regard to case
 * (RFC 9110, 11.1); two headers arrive joined by a comma and are therefore no key.
 */
export function bearerKey(authorization: string | null): string | null {
  if (authorization === null || authorization.length > longestHeader) return null;
  return /^bearer +([a-z][a-z0-9]*_[0-9a-f]{40})$/i.exec(authorization)?.[1] ?? null;
}
