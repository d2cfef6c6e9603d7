import type { Clock } from '../ports.ts';
import type { PictureStore } from './ports.ts';

/** How long a logo is kept after it was last used. */
export const pictureLifetimeMs = 24 * 60 * 60 * 1000;

/** People try a few. The largest has 300 kB. */
const maxPicturesOfAccount = 20;

export type Pictures = ReturnType<typeof createPictures>;

/**
 * Creates the service that keeps logos that are not saved yet, by the SHA-256 of their bytes.
 * The form of a design names them, so that it does not carry them. All copies of a server find those of an account.
 */
export function createPictures({
  store,
  clock,
}: {
  store: PictureStore;
  clock: Pick<Clock, 'nowMs'>;
}) {
  return {
    /** Keeps the PNG of a logo for a day, and returns its digest in hexadecimal digits. */
    keep: async (accountId: number, content: Uint8Array): Promise<string> => {
      const digest = Bun.CryptoHasher.hash('sha256', content, 'hex');
      const nowMs = clock.nowMs();
      await store.keep(
        { accountId, digest, content, keptAtMs: nowMs },
        { expiredMs: nowMs - pictureLifetimeMs, maxPictures: maxPicturesOfAccount },
      );
      return digest;
    },
    /** Returns one that the account has kept within a day, or null. */
    find: (accountId: number, digest: string): Promise<Uint8Array | null> =>
      store.find(accountId, digest, clock.nowMs() - pictureLifetimeMs),
  };
}
