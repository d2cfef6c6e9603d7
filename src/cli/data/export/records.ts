import { lastColumns, mapLabels } from '../../../core/codes/fields.ts';
import { isoTimestamp } from '../../../core/codes/qr.ts';
import { scheduledStatus } from '../../../core/codes/schedule/change.ts';
import { splitScope } from '../../../core/codes/urls/resolve.ts';
import { domainOf } from '../../../core/codes/urls/short-url.ts';
import type { StoredRedirect } from '../../../core/storage.ts';
import { csvLine } from '../../../lib/csv.ts';
import { activityJson } from '../../code/activity.ts';
import { locationFor, type RedirectMap } from './redirect-map.ts';

const columns = [
  'code',
  'short_link',
  'destination',
  'location',
  'status',
  'http_status',
  ...lastColumns,
] as const;

/** Columns behind the others where a code of the export has them: a server may have one domain alone. */
type FurtherColumn = 'domain' | 'pass query';

/** One code under the names of both formats. `http_status` is the response to the short link. */
function recordOf(
  redirect: StoredRedirect,
): Record<(typeof columns)[number], string | number | boolean | null> {
  const location = locationFor(redirect);
  const { query: _, ...labels } = mapLabels((name) => redirect[name]);
  return {
    code: redirect.code,
    short_link: redirect.shortLink,
    destination: redirect.destination,
    location,
    status: redirect.status,
    http_status: location === null ? 410 : 302,
    ...labels,
    path: redirect.path === null ? null : splitScope(redirect.path).path,
    archived: redirect.isArchived,
  };
}

function cellOf(value: string | number | boolean | null): string {
  return value === true ? 'yes' : value === false ? '' : String(value ?? '');
}

const furtherCells: Readonly<Record<FurtherColumn, (redirect: StoredRedirect) => string>> = {
  domain: domainOf,
  'pass query': ({ query }) => query ?? '',
};

/** Writes CSV (RFC 4180). */
export async function* csv(map: RedirectMap): AsyncGenerator<string> {
  const further: FurtherColumn[] = [
    ...(hasDomains(map) ? (['domain'] as const) : []),
    ...((await hasQueries(map)) ? (['pass query'] as const) : []),
  ];
  yield csvLine([...columns, ...further]);
  for await (const redirect of map.redirects()) {
    const record = recordOf(redirect);
    const cells = columns.map((column) => cellOf(record[column]));
    yield csvLine([...cells, ...further.map((column) => furtherCells[column](redirect))]);
  }
}

const hasDomains = ({ domains = [] }: RedirectMap) => domains.length > 0;

/** Returns whether a code passes the query of visitors on. */
async function hasQueries(map: RedirectMap): Promise<boolean> {
  for await (const _ of map.redirects({ passesQuery: true })) return true;
  return false;
}

/** Returns the planned changes of a code as `code plan --list` shows them; nothing if it has none. */
function scheduledOf({ scheduledChanges }: StoredRedirect) {
  if (scheduledChanges.length === 0) return {};
  return {
    planned_changes: scheduledChanges.map(({ firstLocal, zone, nextMs, every, ...change }) => ({
      at: firstLocal,
      zone,
      next: nextMs === null ? null : isoTimestamp(nextMs),
      every,
      url: change.destination,
      status: scheduledStatus(change.action),
    })),
  };
}

/** Returns what the page of a code says while it is paused; nothing if its account and it say nothing. */
function pausedPageOf({ pausedPage: { businessName, message, link } }: StoredRedirect) {
  if (businessName === null && message === null && link === null) return {};
  return { paused_page: { business_name: businessName, message, link } };
}

/** Returns the activity of a code as the command shows it; nothing if it has none. */
function activityOf({ activity }: StoredRedirect) {
  return activity.length === 0
    ? {}
    : { activity: activity.map((entry) => activityJson(entry, {})) };
}

/** Writes a JSON array with one object per line: what a code is, and what was planned and done with it. */
export const json = (map: RedirectMap) => jsonOf(map, { hasActivity: true });

/** Writes the same without what was done. */
export const codesAsJson = (map: RedirectMap) => jsonOf(map, { hasActivity: false });

async function* jsonOf(
  map: RedirectMap,
  options: { readonly hasActivity: boolean },
): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const redirect of map.redirects(options)) {
    const { query } = redirect;
    const domain = hasDomains(map) ? { domain: domainOf(redirect) } : {};
    const passed = query === null ? {} : { query };
    const planned = { ...domain, ...passed, ...scheduledOf(redirect), ...pausedPageOf(redirect) };
    const more = { ...planned, ...activityOf(redirect) };
    yield `${separator}${JSON.stringify({ ...recordOf(redirect), ...more })}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
