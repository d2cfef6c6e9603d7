import { expect } from 'bun:test';
import type { Answer } from './api.ts';

// Types of the API's responses, with strict checks.

export interface QrRecord {
  readonly code: string;
  readonly url: string;
  readonly destination: string;
  readonly status: string;
  readonly scans: number;
  readonly last_scan: string | null;
  readonly created_at: string;
  readonly kind: string;
  readonly mode: string;
  readonly has_design: boolean;
  readonly png: string;
  readonly svg: string;
}

export interface List {
  readonly data: readonly QrRecord[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface Stats {
  readonly code: string;
  readonly scans: number;
  readonly last_scan: string | null;
}

/** ISO 8601 in UTC, ending in Z. */
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The error codes of SPEC, "Errors". */
const statusOfError: Readonly<Record<string, number>> = {
  invalid_json: 400,
  invalid_url: 400,
  unauthorized: 401,
  plan_required: 402,
  not_found: 404,
  method_not_allowed: 405,
  unsafe_url: 422,
  design_unreadable: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
  invalid_request: 400,
  expectation_failed: 417,
};

/** The twelve fields of SPEC, "QR record", with patterns of their JSON. */
const recordFields: Readonly<Record<keyof QrRecord, RegExp>> = {
  code: /^"[0-9a-hjkmnp-tv-z]{8}"$/,
  url: /^"https?:\/\/[^"]+"$/,
  destination: /^"https?:\/\/.+"$/i,
  status: /^"(active|paused|blocked)"$/,
  scans: /^\d+$/,
  last_scan: /^(null|"[^"]+Z")$/,
  created_at: /^"[^"]+Z"$/,
  kind: /^"qr"$/,
  mode: /^"dynamic"$/,
  has_design: /^true$/,
  png: /^"https?:\/\/[^"]+\.png"$/,
  svg: /^"https?:\/\/[^"]+\.svg"$/,
};

/** Checks for exactly the twelve fields of the contract. */
export function asRecord(json: unknown): QrRecord {
  const fields = fieldsOf(json);
  expect(Object.keys(fields).sort()).toEqual(Object.keys(recordFields).sort());
  for (const [name, pattern] of Object.entries(recordFields))
    if (!pattern.test(JSON.stringify(fields[name])))
      throw new Error(`${name} is ${JSON.stringify(fields[name])}`);
  expect(String(fields['created_at'])).toMatch(instantPattern);
  expectScans(fields);
  return fields as unknown as QrRecord; // every field was checked above
}

export function asList(json: unknown): List {
  const fields = fieldsOf(json);
  expect(Object.keys(fields).sort()).toEqual(['data', 'limit', 'offset', 'total']);
  for (const name of ['limit', 'offset', 'total'])
    expect(Number.isInteger(fields[name])).toBe(true);
  if (!Array.isArray(fields['data'])) throw new Error('data is no array');
  for (const one of fields['data']) asRecord(one);
  return fields as unknown as List; // every field was checked above
}

export function asStats(json: unknown): Stats {
  const fields = fieldsOf(json);
  expect(Object.keys(fields).sort()).toEqual(['code', 'last_scan', 'scans']);
  expect(fields['code']).toBeString();
  expectScans(fields);
  return fields as unknown as Stats; // every field was checked above
}

/** Checks for exactly the error record of the contract, with the matching status. */
export function asEnvelope(answer: Answer): { code: string; message: string } {
  expect(answer.headers.get('content-type') ?? '').toStartWith('application/json');
  const envelope = fieldsOf(answer.json);
  expect(Object.keys(envelope)).toEqual(['error']);
  const error = fieldsOf(envelope['error']);
  expect(Object.keys(error).sort()).toEqual(['code', 'message']);
  const { code, message } = error;
  if (typeof code !== 'string' || typeof message !== 'string' || message === '')
    throw new Error(`not the envelope: ${answer.text}`);
  expect({ code, status: answer.status }).toEqual({ code, status: statusOfError[code] ?? 0 });
  return { code, message };
}

/** Returns status and error code, such as `404 not_found`, or the status alone. */
export function outcome(answer: Answer): string {
  if (answer.status < 400) return String(answer.status);
  return `${answer.status} ${asEnvelope(answer).code}`;
}

export function errorMessage(answer: Answer): string {
  return asEnvelope(answer).message;
}

/** Checks for an object. */
export function fieldsOf(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Error(`not a JSON object: ${JSON.stringify(json)}`);
  return json as Readonly<Record<string, unknown>>; // checked above; its values stay unknown
}

function expectScans(fields: Readonly<Record<string, unknown>>): void {
  const { scans, last_scan: lastScan } = fields;
  if (typeof scans !== 'number' || !Number.isInteger(scans) || scans < 0)
    throw new Error(`scans is ${JSON.stringify(scans)}`);
  if (scans === 0) expect(lastScan).toBeNull();
  else expect(String(lastScan)).toMatch(instantPattern);
}
