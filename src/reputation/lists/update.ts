import type { ListSourceStore, ThreatListStore } from '../../core/safety/ports.ts';
import {
  InvalidListRequest,
  type ListOrigin,
  type ListSource,
  type UpdateRecord,
} from '../../core/safety/threat-lists.ts';
import { isDeadline, withDeadline } from '../../lib/deadline.ts';
import { errnoOf } from '../../lib/errors.ts';
import { readAtMost } from '../../lib/files/bounded-read.ts';
import { type ImportReport, importList, parseSourceName } from './import.ts';

/**
 * Adds a source, or changes the address and format of one.
 *
 * @throws InvalidListRequest when the name is invalid or the address is not https
 */
export async function addSource(sources: ListSourceStore, source: ListSource): Promise<ListSource> {
  const url = URL.parse(source.url);
  if (url === null) throw new InvalidListRequest(`${JSON.stringify(source.url)} is not a URL.`);
  if (url.protocol !== 'https:')
    throw new InvalidListRequest(
      'Lists are downloaded over https only, so that they cannot be altered on the way.',
    );
  const stored = { ...source, name: parseSourceName(source.name), url: url.href };
  await sources.put(stored);
  return stored;
}

export interface UpdateOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly nowMs: () => number;
  /** For one source, from the first byte sent to the last one read. */
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
}

/** An update record, with the report of the import if there was one. */
export interface UpdateResult extends UpdateRecord {
  readonly report: ImportReport | null;
}

const defaultDeadlineMs = 120_000;
const defaultMaxBytes = 64 * 2 ** 20;

/**
 * Downloads all sources, one after the other, and records the result of each. After a failure the
 * earlier list stays in force.
 */
export async function updateSources(
  stores: { readonly sources: ListSourceStore; readonly lists: ThreatListStore },
  options: UpdateOptions,
): Promise<UpdateResult[]> {
  const results: UpdateResult[] = [];
  for (const source of await stores.sources.all()) {
    const checkedAtMs = options.nowMs();
    const { report, ...outcome } = await updateSource(stores.lists, source, options);
    const record = { name: source.name, checkedAtMs, ...outcome };
    await stores.sources.recordUpdate(record);
    results.push({ ...record, report });
  }
  return results;
}

async function updateSource(
  lists: ThreatListStore,
  { name, url, format, column }: ListSource,
  { deadlineMs = defaultDeadlineMs, maxBytes = defaultMaxBytes, fetch, nowMs }: UpdateOptions,
): Promise<Pick<UpdateResult, 'outcome' | 'reason' | 'report'>> {
  try {
    const all = await lists.all();
    const earlier = all.find(({ source, origin }) => source === name && origin?.url === url);
    const headers = earlier?.origin ? conditionalHeaders(earlier.origin) : {};
    // Redirects are not followed, because they could lead away from https.
    const { response, content } = await withDeadline(deadlineMs, async (signal) => {
      const received = await fetch(url, { headers, redirect: 'manual', signal });
      const isList = received.status === 200;
      return {
        response: received,
        content: isList ? await readAtMost(received.body, maxBytes) : null,
      };
    });
    if (response.status === 304 && earlier)
      return { outcome: 'unchanged', reason: null, report: null };
    if (content === null) throw statusError(response, url);
    if (content === 'too long')
      throw new InvalidListRequest(`The list is longer than ${maxBytes} bytes.`);
    if (content === 'broken off') throw new InvalidListRequest('The connection broke off.');
    const report = await importList(lists, content, name, {
      ...(format && { format }),
      ...(column !== undefined && { column }),
      nowMs: nowMs(),
      origin: {
        url,
        etag: response.headers.get('etag'),
        lastModified: response.headers.get('last-modified'),
      },
    });
    return { outcome: 'updated', reason: null, report };
  } catch (error) {
    return { outcome: 'failed', reason: reasonOf(error), report: null };
  }
}

function conditionalHeaders({ etag, lastModified }: ListOrigin): Record<string, string> {
  if (etag !== null) return { 'If-None-Match': etag };
  return lastModified === null ? {} : { 'If-Modified-Since': lastModified };
}

function statusError({ status, headers, body }: Response, url: string): InvalidListRequest {
  // Not awaited: cancelling a body that never ends may never resolve.
  body?.cancel().catch(() => {});
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  const target = location === null ? null : URL.parse(location, url);
  return new InvalidListRequest(
    target === null
      ? `The server responds with status ${status}.`
      : `The server redirects to ${target.href}. If you trust that address, add the source with it.`,
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof InvalidListRequest) return error.message;
  if (isDeadline(error)) return 'The server did not respond in time.';
  const code = errnoOf(error);
  return `The list could not be downloaded or stored${code && ` (${code})`}.`;
}
