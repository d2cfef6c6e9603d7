import { csvLine } from '../lib/csv.ts';
import { locationFor, type RedirectMap } from './redirect-map.ts';

/** CSV (RFC 4180) for everything else. `http_status` is what the short link answers. */
export function* csv(map: RedirectMap): Generator<string> {
  yield csvLine(['code', 'short_link', 'destination', 'location', 'status', 'http_status']);
  for (const redirect of map.redirects()) {
    const { code, shortLink, destination, status } = redirect;
    const location = locationFor(redirect);
    const httpStatus = location === null ? '410' : '302';
    yield csvLine([code, shortLink, destination, location ?? '', status, httpStatus]);
  }
}
