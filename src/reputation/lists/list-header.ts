import { isObject, optionalText, parseJson } from '../../lib/json.ts';

/** What a list file says about itself. */
export interface ListHeader {
  readonly source: string;
  readonly entries: number;
  readonly importedAtMs: number;
  /** The format its lines were read in, for people. */
  readonly format: string;
  /** Where an update fetched it, and how it names this edition; null for an imported file. */
  readonly origin: Origin | null;
}

/** By what the next update can ask whether there is anything newer (RFC 9110, 13.1). */
export interface Origin {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Null when the text is no header. */
export function parseHeader(text: string): ListHeader | null {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const { source, entries, importedAtMs, format, origin } = value;
  if (typeof source !== 'string' || typeof format !== 'string') return null;
  if (!Number.isSafeInteger(entries) || !Number.isFinite(importedAtMs)) return null;
  const parsedOrigin = parseOrigin(origin);
  if (parsedOrigin === undefined) return null;
  return {
    source,
    entries: Number(entries),
    importedAtMs: Number(importedAtMs),
    format,
    origin: parsedOrigin,
  };
}

function parseOrigin(value: unknown): Origin | null | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { url, etag, lastModified } = value;
  if (typeof url !== 'string') return undefined;
  return { url, etag: optionalText(etag), lastModified: optionalText(lastModified) };
}
