import { locationHeader } from '../core/codes/destination.ts';
import type { QrStatus } from '../core/codes/qr.ts';

/** One printed code and where it leads. */
export interface Redirect {
  readonly code: string;
  /** As printed. */
  readonly shortLink: string;
  /** Exactly as the client sent it. */
  readonly destination: string;
  readonly status: QrStatus;
}

/** Every code, so that printed ones go on working without this program. */
export interface RedirectMap {
  /** Where the short links live, `scheme://host[:port][/path]`. */
  readonly bases: readonly string[];
  readonly codes: number;
  /** Walks all of it in the order of the codes, the same at every call. */
  redirects(): Iterable<Redirect>;
}

/** Writes the map in the words of a web server, a piece at a time. */
export type Format = (map: RedirectMap) => Iterable<string>;

/** What stands in the `Location` header, or null where the short link answers 410. */
export function locationFor({ destination, status }: Redirect): string | null {
  return status === 'active' ? locationHeader(destination) : null;
}

/** The hosts of the bases, each once, as they stand in a URL. */
export function hostsOf(bases: readonly string[]): string[] {
  return [...new Set(bases.map((base) => new URL(base).hostname))];
}
