import type {
  ListOrigin,
  ListSource,
  ListSourceStore,
  ThreatListStore,
  UpdateRecord,
} from '../../core/safety/threat-lists.ts';
import { startDeadline } from '../../lib/deadline.ts';
import { InvalidListRequest } from '../errors.ts';
import { downloadList, type Fetch, limitedBody } from './download.ts';
import { type ImportReport, importList } from './import.ts';

export interface UpdateOptions {
  readonly fetch: Fetch;
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
  source: ListSource,
  options: UpdateOptions,
): Promise<Pick<UpdateResult, 'outcome' | 'reason' | 'report'>> {
  const { deadlineMs = defaultDeadlineMs, maxBytes = defaultMaxBytes, fetch, nowMs } = options;
  const deadline = startDeadline(deadlineMs);
  try {
    const headers = await conditionalHeaders(lists, source);
    const response = await deadline.within(
      downloadList(source.url, fetch, { headers, signal: deadline.signal }),
    );
    if (response.status === 304) return { outcome: 'unchanged', reason: null, report: null };
    const { name, format, column } = source;
    const report = await importList(lists, limitedBody(response, maxBytes, deadline), name, {
      ...(format && { format }),
      ...(column !== undefined && { column }),
      nowMs: nowMs(),
      origin: originOf(source, response),
    });
    return { outcome: 'updated', reason: null, report };
  } catch (error) {
    return { outcome: 'failed', reason: reasonOf(error), report: null };
  } finally {
    deadline.stop();
  }
}

/** Returns If-None-Match or If-Modified-Since when the list came from the same address. */
async function conditionalHeaders(
  lists: ThreatListStore,
  { name, url }: ListSource,
): Promise<Record<string, string>> {
  const origin = (await lists.all()).find(({ source }) => source === name)?.origin;
  if (origin?.url !== url) return {};
  if (origin.etag !== null) return { 'If-None-Match': origin.etag };
  return origin.lastModified === null ? {} : { 'If-Modified-Since': origin.lastModified };
}

function originOf({ url }: ListSource, { headers }: Response): ListOrigin {
  return { url, etag: headers.get('etag'), lastModified: headers.get('last-modified') };
}

function reasonOf(error: unknown): string {
  if (error instanceof InvalidListRequest) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'The server did not respond in time.';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `The list could not be downloaded or stored${code}.`;
}
