import type { Clock } from '../ports.ts';
import type { PictureStore } from './ports.ts';

/** How long a picture is kept after it was last used: a draft of a design keeps its logo. */
export const pictureLifetimeMs = 24 * 60 * 60 * 1000;

/** A change of a design needs about three pictures. The largest is a logo of 300 kB. */
const maxPicturesOfAccount = 60;

export type Pictures = ReturnType<typeof createPictures>;

/**
 * Creates the service that keeps pictures of the panel by the SHA-256 of their bytes.
 * Previews of designs, and logos that are not saved yet. All copies of a server answer with them, to their account
 * only.
 */
export function createPictures({
  store,
  clock,
}: {
  store: PictureStore;
  clock: Pick<Clock, 'nowMs'>;
}) {
  return {
    /** Keeps a picture for a day, and returns its digest in hexadecimal digits. */
    keep: async (accountId: number, content: Uint8Array): Promise<string> => {
      const digest = Bun.CryptoHasher.hash('sha256', content, 'hex');
      const nowMs = clock.nowMs();
      await store.keep(
        { accountId, digest, content, keptAtMs: nowMs },
        { expiredMs: nowMs - pictureLifetimeMs, maxPictures: maxPicturesOfAccount },
      );
      return digest;
    },
    /** Returns a picture that the account has kept within a day, or null. */
    find: (accountId: number, digest: string): Promise<Uint8Array | null> =>
      store.find(accountId, digest, clock.nowMs() - pictureLifetimeMs),
  };
}
