import { locationFor, type RedirectMap } from './redirect-map.ts';

/** One JSON array with an object for each code, a line each, under the names of the CSV's columns. */
export function* json(map: RedirectMap): Generator<string> {
  let separator = '[\n';
  for (const redirect of map.redirects()) {
    const { code, shortLink, destination, status } = redirect;
    const location = locationFor(redirect);
    const line = {
      code,
      short_link: shortLink,
      destination,
      location,
      status,
      http_status: location === null ? 410 : 302,
    };
    yield `${separator}${JSON.stringify(line)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
