import { isObject, optionalText } from '../../lib/json.ts';
import { InvalidListRequest } from '../errors.ts';
import type { FormatOptions } from './detect-format.ts';
import { listFormats } from './formats.ts';
import { pathsOf } from './generation.ts';
import { parseSourceName } from './list-store.ts';
import { putRecord, readRecords, removeRecord } from './records.ts';

/** A list that `update` fetches. */
export interface Source extends FormatOptions {
  readonly name: string;
  /** https; http only where that was asked for, on this machine. */
  readonly url: string;
  readonly addedAtMs: number;
  readonly allowLoopbackHttp: boolean;
}

/** What the last update of a source came to. */
export interface UpdateRecord {
  readonly name: string;
  readonly checkedAtMs: number;
  readonly outcome: 'updated' | 'unchanged' | 'failed';
  /** Why it failed; null otherwise. */
  readonly reason: string | null;
}

export interface NewSource extends FormatOptions {
  readonly name: string;
  readonly url: string;
  readonly nowMs: number;
  /** Takes http from 127.0.0.1, ::1 and localhost, for a mirror on the same machine. */
  readonly allowLoopbackHttp?: boolean;
}

/**
 * Adds a list to those that are updated, or changes where and how it is fetched.
 *
 * @throws InvalidListRequest when the name or the address cannot be used
 */
export async function addSource(folder: string, source: NewSource): Promise<Source> {
  const { nowMs: addedAtMs, allowLoopbackHttp = false, url, name, ...format } = source;
  const parsed = URL.parse(url);
  if (parsed === null) throw new InvalidListRequest(`${JSON.stringify(url)} is not a URL.`);
  if (!mayFetch(parsed, allowLoopbackHttp)) {
    throw new InvalidListRequest(
      'Lists are fetched over https only: whoever alters one decides what is blocked.',
    );
  }
  const record = {
    ...format,
    name: parseSourceName(name),
    url: parsed.href,
    addedAtMs,
    allowLoopbackHttp,
  };
  await putRecord(pathsOf(folder).sources, record.name, record);
  return record;
}

/** Stops updating a source. The list itself stays until removeList. False when there was none. */
export async function removeSource(folder: string, name: string): Promise<boolean> {
  const stored = parseSourceName(name);
  await removeRecord(pathsOf(folder).updates, stored);
  return removeRecord(pathsOf(folder).sources, stored);
}

/** The sources by name, with what became of their last update; and files that hold none. */
export async function listSources(folder: string): Promise<{
  sources: (Source & { readonly lastUpdate: UpdateRecord | null })[];
  damaged: string[];
}> {
  const { records, damaged } = await readRecords(pathsOf(folder).sources, parseSource);
  const updates = await readRecords(pathsOf(folder).updates, parseUpdate);
  const lastOf = (name: string) => updates.records.find((update) => update.name === name) ?? null;
  return {
    sources: records.map((source) => ({ ...source, lastUpdate: lastOf(source.name) })),
    damaged,
  };
}

/** Notes what an update came to. */
export async function noteUpdate(folder: string, update: UpdateRecord): Promise<void> {
  await putRecord(pathsOf(folder).updates, update.name, update);
}

/** Whether an address may be fetched at all: https, or http on this machine where that was allowed. */
export function mayFetch(url: URL, allowLoopbackHttp: boolean): boolean {
  if (url.protocol === 'https:') return true;
  const isLoopback = /^(?:127(?:\.[0-9]+){3}|\[::1\]|localhost)$/.test(url.hostname);
  return allowLoopbackHttp && url.protocol === 'http:' && isLoopback;
}

function parseSource(value: unknown): Source | null {
  if (!isObject(value)) return null;
  const { name, url, addedAtMs, allowLoopbackHttp, format, column } = value;
  if (typeof name !== 'string' || typeof url !== 'string' || typeof addedAtMs !== 'number')
    return null;
  const known = listFormats.find((candidate) => candidate === format);
  return {
    name,
    url,
    addedAtMs,
    allowLoopbackHttp: allowLoopbackHttp === true,
    ...(known === undefined ? {} : { format: known }),
    ...(typeof column === 'string' || typeof column === 'number' ? { column } : {}),
  };
}

function parseUpdate(value: unknown): UpdateRecord | null {
  if (!isObject(value)) return null;
  const { name, checkedAtMs, outcome, reason } = value;
  if (typeof name !== 'string' || typeof checkedAtMs !== 'number') return null;
  if (outcome !== 'updated' && outcome !== 'unchanged' && outcome !== 'failed') return null;
  return { name, checkedAtMs, outcome, reason: optionalText(reason) };
}
