/** What a request asks for, whatever host it names. */
export interface Target {
  /** As the URL standard spells it. */
  readonly path: string;
  /** Begins with a question mark, or is empty. */
  readonly search: string;
}

/** Path and query of a URL; of a bare path, which is what arrives where the Host is of no use. */
export function pathAndQuery(url: string): string {
  if (url.startsWith('/')) return url;
  const begin = url.indexOf('/', url.indexOf('//') + 2);
  return begin === -1 ? '/' : url.slice(begin);
}

/** Takes the path off that links carry in front of ours, where a proxy has left it on. */
export function withoutBase(path: string, basePaths: readonly string[]): string {
  const base = basePaths.find((candidate) => path.startsWith(`${candidate}/`));
  return base === undefined ? path : path.slice(base.length);
}

/** A path as it came, without its query. */
export function pathAlone(pathWithQuery: string): string {
  const end = pathWithQuery.indexOf('?');
  return end === -1 ? pathWithQuery : pathWithQuery.slice(0, end);
}

// The URL standard leaves these characters and dots where they are.
const standardPath = /^(?:\/[\w-]+)+(?:\.\w+)?$/;

export function parseTarget(pathWithQuery: string): Target {
  // Parsing takes a microsecond, and most paths are spelled as they should be.
  if (standardPath.test(pathWithQuery)) return { path: pathWithQuery, search: '' };
  const { pathname: path, search } = new URL(`http://localhost${pathWithQuery}`);
  return { path, search };
}

/**
 * The request as if it had been sent to `localhost`. Nothing here is built from the Host header, and
 * what a client writes there must not steer us: URLs with some hosts cannot be parsed (`[::1`,
 * `h:99999`), and Elysia looks for the path behind the eleventh character, which a short host moves.
 */
export function addressed(request: Request, { path, search }: Target): Request {
  return new Request(`http://localhost${path}${search}`, request);
}
