import type { createRequests } from './requests.ts';
import type { ScanCounts } from './scan-counts.ts';

/** One request of a mix, and how it should be answered. */
export interface Wanted {
  readonly kind: 'redirect' | 'read' | 'create' | 'write' | 'image' | 'bad';
  readonly request: string;
  readonly status: number;
  /** The code that is scanned, if one is. */
  readonly scans?: string;
}

const sizes = [256, 512, 1024, 1024, 2048];

/**
 * 80 % redirects, 10 % reads and lists, 5 % writes, 4 % images, 1 % bad ones, by chance. Of the writes a
 * tenth makes a code and a twentieth edits one, so that the database grows slowly beside what might
 * leak; the rest are refused for a destination that the list names.
 *
 * @param world.listed a destination that is always on the list
 * @param world.steady whether edits take the place of creates, so that there are as many codes as before
 */
export function createMix(
  world: {
    requests: ReturnType<typeof createRequests>;
    scans: ScanCounts;
    listed: string;
    steady: boolean;
  },
  random: () => number,
): () => Wanted {
  const { requests, scans, listed, steady } = world;
  const any = <T>(choices: readonly T[]): T | undefined =>
    choices[Math.floor(random() * choices.length)];
  let nth = 0;

  return () => {
    const share = random();
    const code = any(scans.codes) ?? '';
    const get = (kind: Wanted['kind'], path: string): Wanted => ({
      kind,
      request: requests.get(path),
      status: 200,
    });
    if (share < 0.8)
      return { kind: 'redirect', request: requests.redirect(code), status: 302, scans: code };
    if (share < 0.85) return get('read', `/qrs/${code}`);
    if (share < 0.87) return get('read', `/qrs/${code}/stats`);
    if (share < 0.9) return get('read', `/qrs?limit=20&offset=${Math.floor(random() * 1000)}`);
    const destination = `https://shop.example.org/products/${nth++}?utm_medium=qr`;
    if (share < 0.905 && !steady)
      return { kind: 'create', request: requests.create(destination), status: 201 };
    if (share < 0.9075)
      return { kind: 'write', request: requests.edit(code, destination), status: 200 };
    if (share < 0.95) return { kind: 'write', request: requests.create(listed), status: 422 };
    // One in twenty seconds at a hundred a second: 67 MB of pixels each.
    if (share < 0.9505) return get('image', `/qrs/${code}.png?size=4096`);
    if (share < 0.97) return get('image', `/qrs/${code}.png?size=${any(sizes)}`);
    if (share < 0.99) return get('image', `/qrs/${code}.svg`);
    if (share < 0.995) return { kind: 'bad', request: requests.brokenJson, status: 400 };
    return { kind: 'bad', request: requests.redirect('zzzzzzzz'), status: 404 };
  };
}
