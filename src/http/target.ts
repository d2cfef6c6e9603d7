/** What a request asks for, whatever host it names. */
export interface Target {
  /** As the URL standard spells it. */
  readonly path: string;
  /** Begins with a question mark, or is empty. */
  readonly search: string;
}

// Places in the URL, not pieces of it, because a phone waits.

/**
 * Index of our own path in the URL of a request. The URL may be absolute, or a bare path where the Host header
 * is of no use. A base path that a proxy left in place is skipped.
 */
export function ownPathStart(url: string, basePaths: readonly string[]): number {
  const start = pathStart(url);
  const base = basePaths.find((candidate) => url.startsWith(`${candidate}/`, start));
  return base === undefined ? start : start + base.length;
}

/**
 * What a request asks for of ours. A base as it stands in the settings, without a slash at its end, is the page
 * at its root.
 *
 * @param start see `ownPathStart`
 */
export function ownTarget(url: string, start: number, basePaths: readonly string[]): Target {
  const whole = pathStart(url);
  const end = pathEnd(url, whole);
  if (basePaths.includes(url.slice(whole, end))) return parseTarget(`/${url.slice(end)}`);
  return parseTarget(url.slice(start));
}

function pathStart(url: string): number {
  if (url.startsWith('/')) return 0;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? url.length : start;
}

/** Where a path that begins at a place in a URL ends: at its query, or with the URL. */
export function pathEnd(url: string, start: number): number {
  const query = url.indexOf('?', start);
  return query === -1 ? url.length : query;
}

// The URL standard leaves these characters and dots where they are.
const standardTarget = /^((?:\/[\w-]+)+(?:\.\w+)?)(\?[\w.=&-]+)?$/;

export function parseTarget(pathWithQuery: string): Target {
  // Parsing takes a microsecond, and most targets are spelled as they should be.
  const [, path, search = ''] = standardTarget.exec(pathWithQuery) ?? [];
  if (path !== undefined) return { path, search };
  const url = new URL(`http://localhost${pathWithQuery}`);
  return { path: url.pathname, search: url.search };
}

/**
 * The request as if it had been sent to `localhost`. Nothing here is built from the Host header, and
 * what a client writes there must not steer us: URLs with some hosts cannot be parsed (`[::1`,
 * `h:99999`), and Elysia looks for the path behind the eleventh character, which a short host moves.
 */
export function addressed(request: Request, { path, search }: Target): Request {
  return new Request(`http://localhost${path}${search}`, request);
}
