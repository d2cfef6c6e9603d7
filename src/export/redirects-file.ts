import { locationFor, type RedirectMap } from './redirect-map.ts';

/**
 * A `_redirects` file as static hosts read it (Netlify, Cloudflare Pages and others). They compare
 * paths with regard to case and know no pattern for "either", so each code stands there in the two
 * spellings that are printed: lower case, and capitals for dense links.
 */
export function* redirects(map: RedirectMap): Generator<string> {
  yield `# Printed codes and where they lead (${map.codes}), exported by Waymark.\n`;
  for (const redirect of map.redirects()) {
    const location = locationFor(redirect);
    for (const path of pathsTo(redirect.shortLink))
      yield location === null ? `${path} / 410\n` : `${path} ${location} 302\n`;
  }
}

function pathsTo(shortLink: string): Set<string> {
  const { pathname } = new URL(shortLink);
  const slash = pathname.lastIndexOf('/') + 1;
  const [folder, code] = [pathname.slice(0, slash), pathname.slice(slash)];
  return new Set([folder + code.toLowerCase(), folder + code.toUpperCase()]);
}
