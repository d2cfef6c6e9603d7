import type { Logo } from '../../core/designs/design.ts';

/** A logo's bytes stay as they are, and a hash of a photograph takes as long as drawing it. */
const known = new WeakMap<Uint8Array, string>();

/** SHA-256 of a logo's bytes: what is known about a logo is kept by it, for thousands of codes. */
export function digestOf({ png }: Logo): string {
  const digest = known.get(png) ?? new Bun.CryptoHasher('sha256').update(png).digest('hex');
  known.set(png, digest);
  return digest;
}
