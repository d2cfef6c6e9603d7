import type { Config } from '../config.ts';
import { reachOf } from '../core/codes/host.ts';

/** Returns a warning if codes of this server cannot be scanned, because only its own machine can open their links. */
export function localAddressWarning({ shortUrl }: Pick<Config, 'shortUrl'>): string | null {
  const url = new URL(shortUrl);
  if (reachOf(url) !== 'this machine') return null;
  return (
    `phones can't open ${url.hostname}, so a printed code leads nowhere. Set WAYMARK_PUBLIC_URL to the public ` +
    'address of the server, such as https://qr.example.com.'
  );
}
