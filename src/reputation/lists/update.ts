import { startDeadline } from '../../lib/deadline.ts';
import type { Pause } from '../../lib/event-loop.ts';
import { InvalidListRequest } from '../errors.ts';
import { type Fetch, fetchList, piecesOfBody } from './download.ts';
import { type ImportReport, importPieces } from './import.ts';
import type { Origin } from './list-header.ts';
import { openBestList } from './list-store.ts';
import { listSources, noteUpdate, type Source, type UpdateRecord } from './sources.ts';

export interface UpdateOptions {
  readonly fetch: Fetch;
  readonly nowMs: () => number;
  /** For one source, from the first byte sent to the last one read, with the pauses in between. */
  readonly deadlineMs?: number;
  readonly longestBytes?: number;
  /** Called after every few milliseconds of work. */
  readonly pause?: Pause;
}

/** What became of one source, and of its file if a new one came. */
export interface UpdateResult extends UpdateRecord {
  readonly report: ImportReport | null;
}

const usualDeadlineMs = 120_000;
const usualLongestBytes = 64 * 2 ** 20;

/**
 * Fetches the configured sources, one after the other. Whatever goes wrong with one leaves its last
 * good list in place and the others alone; it is told in the result and kept for `listSources`.
 */
export async function updateSources(
  folder: string,
  options: UpdateOptions,
): Promise<UpdateResult[]> {
  const { sources } = await listSources(folder);
  const results: UpdateResult[] = [];
  for (const source of sources) {
    const checkedAtMs = options.nowMs();
    const result = await updateOne(folder, source, options);
    const record = {
      name: source.name,
      checkedAtMs,
      outcome: result.outcome,
      reason: result.reason,
    };
    await noteUpdate(folder, record);
    results.push({ ...record, report: result.report });
  }
  return results;
}

type Outcome = Pick<UpdateResult, 'outcome' | 'reason' | 'report'>;

async function updateOne(folder: string, source: Source, options: UpdateOptions): Promise<Outcome> {
  const { deadlineMs = usualDeadlineMs, longestBytes = usualLongestBytes, nowMs, pause } = options;
  const deadline = startDeadline(deadlineMs);
  try {
    const conditions = await conditionsFor(folder, source);
    const init = { headers: conditions, signal: deadline.signal };
    const response = await deadline.within(fetchList(source, options.fetch, init));
    // A server that says so unasked, when there is no list yet, has sent none.
    if (response.status === 304 && Object.keys(conditions).length > 0)
      return { outcome: 'unchanged', reason: null, report: null };
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new InvalidListRequest(`The server answers ${response.status}.`);
    }
    const report = await importPieces(
      folder,
      piecesOfBody(response, longestBytes, deadline),
      source.name,
      {
        ...formatOf(source),
        nowMs: nowMs(),
        origin: originOf(source, response),
        ...(pause && { pause }),
      },
    );
    return { outcome: 'updated', reason: null, report };
  } catch (error) {
    return { outcome: 'failed', reason: reasonOf(error), report: null };
  } finally {
    deadline.stop();
  }
}

/** Asks for a newer edition only, if a good list from the same address is there. */
async function conditionsFor(folder: string, source: Source): Promise<Record<string, string>> {
  const { list, problem } = await openBestList(folder, source.name);
  list?.close();
  const origin = list?.header.origin;
  if (!origin || problem !== null || origin.url !== source.url) return {};
  if (origin.etag !== null) return { 'If-None-Match': origin.etag };
  return origin.lastModified === null ? {} : { 'If-Modified-Since': origin.lastModified };
}

function originOf(source: Source, response: Response): Origin {
  return {
    url: source.url,
    etag: response.headers.get('etag'),
    lastModified: response.headers.get('last-modified'),
  };
}

function formatOf({ format, column }: Source) {
  return {
    ...(format === undefined ? {} : { format }),
    ...(column === undefined ? {} : { column }),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof InvalidListRequest) return error.message;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return error instanceof Error && error.name === 'TimeoutError'
    ? 'The server did not answer in time.'
    : `The list could not be fetched or stored${code}.`;
}
