import { Secret, TOTP } from 'otpauth/bare';

// What every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds.
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
// RFC 6238, 5.2: one step for the delay, and for clocks that differ by it.
const window = 1;
/** Computes an HMAC. The package's own hash functions would be as much code again as its rest. */
const hmac = (_: string, key: Uint8Array, message: Uint8Array) =>
  new Bun.CryptoHasher('sha1', key).update(message).digest();

/** Bytes of a secret (RFC 4226, 4: 160 bits are recommended). */
export const totpSecretBytes = 20;

/** Encodes a secret in base32, as apps take it. */
export function encodeTotpSecret(bytes: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** Returns the URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return new TOTP({ ...settings, secret, issuer, label }).toString();
}

/**
 * Returns the time step that a code of six digits belongs to.
 * The present one, the one before or the one after. Null for a wrong code.
 *
 * @param secret in base32
 */
export function totpStepOf(code: string, secret: string, nowMs: number): number | null {
  const present = { ...settings, timestamp: nowMs };
  const delta = TOTP.validate({
    ...present,
    token: code,
    secret: Secret.fromBase32(secret),
    window,
    hmac,
  });
  return delta === null ? null : TOTP.counter(present) + delta;
}
