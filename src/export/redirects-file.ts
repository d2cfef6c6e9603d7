import { formatCount } from '../lib/numbers.ts';
import { isImported, locationFor, type Redirect, type RedirectMap } from './redirect-map.ts';

/**
 * Writes a `_redirects` file for static hosts (Netlify, Cloudflare Pages and others). Their paths are
 * case-sensitive, so each code has two lines: lower case, and capitals for dense links. An imported link has one.
 */
export async function* redirects(map: RedirectMap): AsyncGenerator<string> {
  yield `# Destinations of ${formatCount(map.codes, 'printed code')}, exported by Waymark.\n`;
  for await (const redirect of map.redirects()) {
    const location = locationFor(redirect);
    for (const path of pathsTo(redirect))
      yield location === null ? `${path} / 410\n` : `${path} ${location} 302\n`;
  }
}

function pathsTo(redirect: Redirect): Iterable<string> {
  const { pathname } = new URL(redirect.shortLink);
  if (isImported(redirect)) return [pathname];
  const slash = pathname.lastIndexOf('/') + 1;
  const [folder, code] = [pathname.slice(0, slash), pathname.slice(slash)];
  return new Set([folder + code.toLowerCase(), folder + code.toUpperCase()]);
}
