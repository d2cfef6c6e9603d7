import { locationFor, type RedirectMap } from './redirect-map.ts';

/** CSV (RFC 4180) for everything else. `http_status` is what the short link answers. */
export function* csv(map: RedirectMap): Generator<string> {
  yield 'code,short_link,destination,location,status,http_status\r\n';
  for (const redirect of map.redirects()) {
    const { code, shortLink, destination, status } = redirect;
    const location = locationFor(redirect);
    yield `${[code, shortLink, destination, location ?? '', status, location === null ? '410' : '302'].map(quoted).join(',')}\r\n`;
  }
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
