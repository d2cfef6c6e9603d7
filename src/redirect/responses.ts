import type { ApiError } from '../core/errors.ts';
import type { HitKind } from '../core/scans/hit.ts';

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
export function errorRecord(
  { code, status, headers, message: given }: ApiError,
  message = given,
): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}

/** Headers of a response that stays the same until an operator has acted. */
export const retryAfterOperator = { 'Retry-After': '60' };

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

/** Counts of values in ranges. */
export interface Histogram {
  observe(value: number): void;
  /** Returns the counts since the creation. */
  read(): HistogramReadings;
}

export interface HistogramReadings {
  /** The number of values up to each bound. */
  readonly buckets: readonly { readonly upTo: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

/**
 * Creates a histogram. Observing is a few comparisons and additions, since every redirect is observed.
 *
 * @param bounds upper bounds of the ranges, ascending
 */
export function createHistogram(bounds: readonly number[]): Histogram {
  // The last range has no upper bound.
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe: (value) => {
      let range = 0;
      while (range < bounds.length && value > (bounds[range] ?? 0)) range++;
      counts[range] = (counts[range] ?? 0) + 1;
      sum += value;
    },
    read: () => {
      let count = 0;
      const buckets = bounds.map((upTo, range) => {
        count += counts[range] ?? 0;
        return { upTo, count };
      });
      return { buckets, sum, count: count + (counts[bounds.length] ?? 0) };
    },
  };
}

/** Adds the counts of two histograms with the same bounds. */
export function addHistograms(a: HistogramReadings, b: HistogramReadings): HistogramReadings {
  const buckets = a.buckets.map(({ upTo, count }, range) => ({
    upTo,
    count: count + (b.buckets[range]?.count ?? 0),
  }));
  return { buckets, sum: a.sum + b.sum, count: a.count + b.count };
}
