import { encodePath } from '../../../core/codes/path.ts';
import { splitScope } from '../../../core/codes/urls/resolve.ts';
import { folderOf } from '../../../core/codes/urls/short-url.ts';
import type { StoredRedirect } from '../../../core/storage.ts';
import { formatCount } from '../../../lib/numbers.ts';
import { queryKindsOf } from './passed-query.ts';
import { isImported, locationFor, pathsWithSlash, type RedirectMap } from './redirect-map.ts';

/**
 * Writes a `_redirects` file for static hosts (Netlify, Cloudflare Pages and others). Their paths are
 * case-sensitive, so each code is written in lower case, and in capitals for dense links. Each path has a line
 * without and one with a slash at the end.
 */
export async function* redirects(map: RedirectMap): AsyncGenerator<string> {
  yield `# Destinations of ${formatCount(map.codes, 'printed code')}, exported by Waymark.\n`;
  if ((map.domains ?? []).length > 0)
    yield '# A line has no host: of a path that several domains have, the first line counts. Export each with --domain.\n';
  if ((await queryKindsOf(map)).size > 0)
    yield '# No line can pass a query on: whether a visitor’s query is added to all destinations is up to the host.\n';
  const exact = await pathsWithSlash(map);
  for await (const redirect of map.redirects()) {
    const location = locationFor(redirect);
    for (const path of [...pathsTo(redirect, exact), ...typedPaths(redirect, exact)])
      yield location === null ? `${path} / 410\n` : `${path} ${location} 302\n`;
  }
}

const withSlash = (path: string) => [path, `${path}/`];

/** Returns the paths to the one that the owner of a code chose. */
function typedPaths(redirect: StoredRedirect, exact: ReadonlySet<string>): string[] {
  const { path } = redirect;
  if (path === null) return [];
  const own = `${folderOf(redirect)}${encodePath(splitScope(path).path)}`;
  return exact.has(`${path}/`) ? [own] : withSlash(own);
}

function pathsTo(redirect: StoredRedirect, exact: ReadonlySet<string>): Iterable<string> {
  const { pathname } = new URL(redirect.shortLink);
  if (isImported(redirect))
    return pathname.endsWith('/') || exact.has(`${redirect.code}/`)
      ? [pathname]
      : withSlash(pathname);
  const slash = pathname.lastIndexOf('/') + 1;
  const folder = pathname.slice(0, slash);
  const code = pathname.slice(slash);
  const spellings = [folder + code.toLowerCase(), folder + code.toUpperCase()];
  return new Set(exact.has(`${code.toLowerCase()}/`) ? spellings : spellings.flatMap(withSlash));
}
