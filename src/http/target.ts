/** Path and query of a request, without its host. */
export interface Target {
  /** Normalized by the URL standard. */
  readonly path: string;
  /** Starts with a question mark, or is empty. */
  readonly search: string;
}

// Indexes into the URL instead of substrings: every redirect computes them.

/**
 * Returns the index of our own path in a request's URL. The URL may be a bare path, if the Host header is
 * unusable. A base path that a proxy left in place is skipped.
 */
export function ownPathStart(url: string, basePaths: readonly string[]): number {
  const start = pathStart(url);
  const base = basePaths.find((candidate) => url.startsWith(`${candidate}/`, start));
  return base === undefined ? start : start + base.length;
}

/**
 * Returns the target of a request below the base paths. A base path without a slash at its end is the root.
 *
 * @param start the result of `ownPathStart`
 */
export function ownTarget(url: string, start: number, basePaths: readonly string[]): Target {
  const fullStart = pathStart(url);
  const end = pathEnd(url, fullStart);
  if (basePaths.includes(url.slice(fullStart, end))) return parseTarget(`/${url.slice(end)}`);
  return parseTarget(url.slice(start));
}

function pathStart(url: string): number {
  if (url.startsWith('/')) return 0;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? url.length : start;
}

/** Returns the index at which a path ends: its question mark, or the end of the URL. */
export function pathEnd(url: string, start: number): number {
  const query = url.indexOf('?', start);
  return query === -1 ? url.length : query;
}

// Targets that the URL standard leaves unchanged.
const normalTarget = /^((?:\/[\w-]+)+(?:\.\w+)?)(\?[\w.=&-]+)?$/;

/** Parses a path with its query. */
export function parseTarget(pathWithQuery: string): Target {
  // Skips the URL parser, which takes a microsecond, for most requests.
  const [, path, search = ''] = normalTarget.exec(pathWithQuery) ?? [];
  if (path !== undefined) return { path, search };
  const url = new URL(`http://localhost${pathWithQuery}`);
  return { path: url.pathname, search: url.search };
}

/**
 * Returns the request with `localhost` as its host. Elysia expects the path after the eleventh character and
 * cannot parse every Host header (`[::1`, `h:99999`).
 */
export function withLocalUrl(request: Request, { path, search }: Target): Request {
  return new Request(`http://localhost${path}${search}`, request);
}
