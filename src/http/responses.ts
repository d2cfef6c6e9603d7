import type { ApiError } from '../core/errors.ts';
import { sentenceOf } from '../core/reasons.ts';
import type { HitKind } from '../core/scans/hit.ts';
import { createHistogram, type HistogramReadings } from './ops/histogram.ts';
import { apiSentences } from './sentences/sentences.ts';

const yearSeconds = 365 * 86_400;

/** Strict defaults: no framing, no embedding by other sites, no features, no caching. */
const defaultHeaders = Object.entries({
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

/**
 * Returns `Strict-Transport-Security` (RFC 6797) for https on the default port.
 * Otherwise nothing. The header covers every port of a host, and other services may use the others.
 */
export function strictTransportSecurity(publicUrl: string): Readonly<Record<string, string>> {
  const { protocol, port } = new URL(publicUrl);
  const isWholeHost = protocol === 'https:' && port === '';
  return isWholeHost ? { 'Strict-Transport-Security': `max-age=${yearSeconds}` } : {};
}

/**
 * Creates the function that adds the default security headers and `more` to a response.
 * Headers that it has already stay.
 */
export function createSecurityHeaders(
  more: Readonly<Record<string, string>>,
): (response: Response) => Response {
  const added = [...defaultHeaders, ...Object.entries(more)];
  return (response) => {
    const { headers } = response;
    for (const [name, value] of added) if (!headers.has(name)) headers.set(name, value);
    return response;
  };
}

/** Returns the error record of the contract (SPEC, "Error record") with the error's headers. */
export function errorResponse({ code, message, reason, status, headers }: ApiError): Response {
  const text = reason === null ? message : sentenceOf(apiSentences, reason);
  return Response.json({ error: { code, message: text } }, { status, headers });
}

/** Headers of a response that stays the same until an operator has acted. */
export const retryAfterOperator = { 'Retry-After': '60' };

// Bun sends a smaller body together with the headers.
const maxJoinedChars = 15_000;

/**
 * Returns a JSON response of any size, compressed if the request asks for it.
 * A large one that is not compressed is sent {@link inOnePiece}, and so has no `Content-Length`.
 */
export function jsonResponse(
  request: Request,
  value: unknown,
  more: Readonly<Record<string, string>> = {},
): Response {
  const text = JSON.stringify(value);
  const headers = { ...jsonHeaders, ...more };
  if (text.length >= minCompressedBytes && prefersGzip(request))
    return new Response(Bun.gzipSync(text, { level: recordsLevel }), {
      headers: { ...headers, 'Content-Encoding': 'gzip' },
    });
  return new Response(text.length < maxJoinedChars ? text : inOnePiece(text), { headers });
}

/** The header of JSON that may be compressed. */
export const varyByEncoding = { Vary: 'Accept-Encoding' } as const;
const jsonHeaders = { 'Content-Type': 'application/json;charset=utf-8', ...varyByEncoding };

// Lists repeat the same fields: the fastest level makes a tenth of them, in a quarter of the usual level's time.
const recordsLevel = 1;

/**
 * Returns a body that is sent in one piece.
 * After a wait, such as for PostgreSQL, Bun 1.4.5 sends a large body and each part of each header with a system call of
 * its own, some sixty (oven-sh/bun#41341), but not if the body is a direct stream. A response with it has no
 * `Content-Length`.
 */
export function inOnePiece(body: string | Uint8Array): ReadableStream {
  return directStream((controller) => {
    controller.write(body);
    controller.close();
  });
}

/**
 * Creates a stream that sends each chunk at once.
 * `write` of its controller returns a promise while the client reads no more.
 */
export function directStream(pull: Bun.DirectUnderlyingSource['pull']): ReadableStream {
  const source: Bun.DirectUnderlyingSource = { type: 'direct', pull };
  // The types of the DOM, which the panel needs, know no direct streams.
  return new ReadableStream(source as unknown as UnderlyingSource);
}

// Less fits into a packet anyway.
const minCompressedBytes = 1024;

/**
 * Compresses a response of a type if the request asks for it.
 * Images are compressed already, and pages have secrets beside what an address says, which their size would tell
 * (BREACH).
 */
export function withCompression(
  request: Request,
  response: Response,
  types = /^application\/json/,
): Response | Promise<Response> {
  const { headers } = response;
  if (!types.test(headers.get('content-type') ?? '')) return response;
  headers.append('Vary', 'Accept-Encoding');
  return prefersGzip(request) ? compressed(response) : response;
}

async function compressed(response: Response): Promise<Response> {
  const { headers, status } = response;
  const body = await response.bytes();
  if (body.length < minCompressedBytes) return new Response(body, { status, headers });
  headers.set('Content-Encoding', 'gzip');
  return new Response(Bun.gzipSync(body), { status, headers });
}

/** Returns whether a request prefers gzip to no compression (RFC 9110, 12.5.3). */
export function prefersGzip({ headers }: Request): boolean {
  const acceptEncoding = headers.get('accept-encoding');
  if (acceptEncoding === null) return false;
  const qualities = new Map(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((coding) => {
        const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
        const quality = parameters.find((parameter) => parameter.startsWith('q='));
        return [name, quality === undefined ? 1 : Number(quality.slice(2))] as const;
      }),
  );
  const gzip = qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0;
  return gzip > 0 && gzip >= (qualities.get('identity') ?? 0);
}

/** Compares `If-None-Match` weakly (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch({ headers }: Request, etag: string): boolean {
  const header = headers.get('if-none-match');
  if (header === null) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/** Kinds of paths that responses are counted by. Never a code or an account: their number has no bound. */
const routeClasses = ['short_link', 'api', 'account', 'page'] as const;
export type RouteClass = (typeof routeClasses)[number];

/** Returns the kind of a path that is no short link. */
export function routeClassOf(path: string): RouteClass {
  // Near misses get an error that an API client can read.
  if (/^\/api(?:\/|$)/i.test(path)) return 'api';
  return /^\/account(?:\/|$)/.test(path) ? 'account' : 'page';
}

// HTTP statuses are below this.
const statusLimit = 600;

/**
 * Kinds of requests that durations are measured of.
 * A look-up of an unknown code is its own kind, because scanners that try random paths would change the figures of
 * redirects.
 */
export const timedKinds = ['redirect', 'unknown_code', 'api'] as const;
export type TimedKind = (typeof timedKinds)[number];

// In seconds. A redirect takes less than a millisecond; an image may wait a minute in the render queue.
const durationBounds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 30];

export type ResponseCounts = ReturnType<typeof createResponseCounts>;

/** What a process has counted since its start: plain data, which can be sent to another process. */
export interface ResponseReadings {
  /** Without zeros. */
  readonly responses: readonly { route: RouteClass; status: number; count: number }[];
  /** Hits on active codes by kind. */
  readonly hits: Readonly<Record<HitKind, number>>;
  /** Durations of requests in seconds. */
  readonly durations: Readonly<Record<TimedKind, HistogramReadings>>;
}

/**
 * Creates the response counters.
 * Counting is one addition in an array, since every redirect is counted.
 */
export function createResponseCounts() {
  const counts: Readonly<Record<RouteClass, Float64Array>> = {
    short_link: new Float64Array(statusLimit),
    api: new Float64Array(statusLimit),
    account: new Float64Array(statusLimit),
    page: new Float64Array(statusLimit),
  };
  const durations = {
    redirect: createHistogram(durationBounds),
    unknown_code: createHistogram(durationBounds),
    api: createHistogram(durationBounds),
  } satisfies Record<TimedKind, unknown>;
  const hits: Record<HitKind, number> = {
    scan: 0,
    head: 0,
    prefetch: 0,
    preview: 0,
    crawler: 0,
    warning: 0,
  };
  return {
    count: (route: RouteClass, status: number): void => {
      counts[route][status] = (counts[route][status] ?? 0) + 1;
    },
    /** Counts a hit on an active code. */
    countHit: (kind: HitKind): void => {
      hits[kind]++;
    },
    /** Adds the time from `startMs` (`performance.now()`) until now to a histogram. */
    time: (kind: TimedKind, startMs: number): void =>
      durations[kind].observe((performance.now() - startMs) / 1000),
    read: (): ResponseReadings => ({
      responses: routeClasses.flatMap((route) =>
        Array.from(counts[route], (count, status) => ({ route, status, count })).filter(
          ({ count }) => count > 0,
        ),
      ),
      hits: { ...hits },
      durations: {
        redirect: durations.redirect.read(),
        unknown_code: durations.unknown_code.read(),
        api: durations.api.read(),
      },
    }),
  };
}
