const cipher = 'AES-GCM';
// As NIST SP 800-38D recommends.
const nonceBytes = 12;
const prefix = 'sealed1.';
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Returns whether a text is one that {@link seal} makes. */
export function isSealed(text: string): boolean {
  return /^sealed1\.(?:[0-9a-f]{2}){28,200}$/.test(text);
}

/** Derives the key from a text that is hard to guess. */
export async function sealingKey(text: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', bytesOf(text), 'HKDF', false, [
    'deriveKey',
  ]);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: bytesOf(''), info: bytesOf('waymark') };
  const key = { name: cipher, length: 256 };
  return crypto.subtle.deriveKey(derivation, material, key, false, ['encrypt', 'decrypt']);
}

/**
 * Encrypts a text with AES-256-GCM.
 *
 * @param place what it belongs to: it cannot be opened for another one
 */
export async function seal(key: CryptoKey, text: string, place: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const settings = { name: cipher, iv, additionalData: bytesOf(place) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(settings, key, bytesOf(text)));
  return prefix + iv.toHex() + sealed.toHex();
}

/**
 * Decrypts what {@link seal} made.
 * Resolves null if it was sealed with another key, or for another place.
 */
export async function unseal(
  key: CryptoKey,
  sealed: string,
  place: string,
): Promise<string | null> {
  const bytes = Uint8Array.fromHex(sealed.slice(prefix.length));
  const iv = bytes.subarray(0, nonceBytes);
  const settings = { name: cipher, iv, additionalData: bytesOf(place) };
  try {
    const text = await crypto.subtle.decrypt(settings, key, bytes.subarray(nonceBytes));
    return new TextDecoder().decode(text);
  } catch {
    return null;
  }
}
