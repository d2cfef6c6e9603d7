import { withDeadline } from '../../lib/deadline.ts';
import type { RedirectReadings } from '../metrics/metrics.ts';
import {
  type Connections,
  isMetrics,
  orLate,
  type PassOn,
  setOwnHeaders,
  watchRequest,
} from '../pass-on.ts';
import { inOnePiece } from '../responses.ts';
import type { Absence, AbsentApp } from './absent-app.ts';
import { createDownloads } from './downloads.ts';
import { stalledBodyMs } from './uploads.ts';

/** Where the app process can be reached. */
export interface AppAddress {
  /** Resolves to the path of the app's socket once it is ready, or to why it is not, by default within ten seconds. */
  socket(maxMs?: number): Promise<{ path: string } | Exclude<Absence, 'interrupted' | 'late'>>;
}

// Read before they are sent: a request whose body is in memory can be sent again.
const smallBodyBytes = 16 * 1024;
/**
 * How long metrics wait for the app, before its health is asked for.
 * Prometheus gives up after ten seconds, `waymark doctor` after five.
 */
const metricsMs = 2000;

// Each takes up to 2 MB. A client that reads stalls only for a moment, so it is not the one that is ended.
const maxStalledDownloads = 64;

// A process that ends closes its socket a moment before the supervisor knows.
const retryDelayMs = 50;
const maxAttempts = 3;

/**
 * Passes requests on to the app process over its socket, unchanged.
 * Method, path, headers, body and abort are passed on, status, headers and body are passed back, streamed both ways.
 *
 * @param deps.readings returns what the metrics show of this process
 * @param deps.absent responds when the app does not
 */
export function createForwarding(deps: {
  readonly app: AppAddress;
  readonly readings: () => RedirectReadings;
  readonly absent: AbsentApp;
}): PassOn {
  const { app, readings, absent } = deps;
  const createDownload = createDownloads(maxStalledDownloads);

  const send = async (
    target: string,
    request: Request,
    body: Body,
    connections: Connections | undefined,
    { signal, maxMs }: Wait = { signal: request.signal },
  ): Promise<Response> => {
    const { headers } = request;
    // Bun drops the body of a response to TRACE. Neither is allowed anywhere, and their responses are equal.
    const method = request.method === 'TRACE' ? 'OPTIONS' : request.method;
    const isSafe = method === 'GET' || method === 'HEAD';
    for (let attempt = 1; ; attempt++) {
      const socket = await app.socket(maxMs);
      if (typeof socket === 'string') return absent(target, request, socket);
      try {
        const init = { ...fetchOptions, unix: socket.path, method, headers, body, signal };
        const response = await fetch(`http://app${target}`, init);
        const setDownloading = (isDownloading: boolean) =>
          connections?.setDownloading(request, isDownloading);
        return await passedBack(response, method, (long) => createDownload(long, setDownloading));
      } catch (error) {
        // Nobody reads it.
        if (signal.aborted) return new Response(null, { status: 499 });
        const isSent = !isRefused(error);
        const canRepeat = isSafe || (!isSent && !(body instanceof ReadableStream));
        if (!canRepeat || attempt === maxAttempts)
          return absent(target, request, isSent && !isSafe ? 'interrupted' : 'starting');
        await Bun.sleep(retryDelayMs);
      }
    }
  };

  /** Sends a request with a small body, for which the idle timeout would leave no time to respond. */
  const sendSmall = async (
    target: string,
    request: Request,
    connections: Connections | undefined,
  ): Promise<Response> => {
    const body = await readInTime(request);
    if (body === 'late') return absent(target, request, 'late');
    if (body === 'lost') return new Response(null, { status: 499 });
    return send(target, request, body, connections);
  };

  /**
   * Returns the metrics of this process alone if the app does not answer, or fails.
   * Who asks for them does not wait for an app that starts.
   */
  const sendForMetrics = async (target: string, request: Request): Promise<Response> => {
    try {
      const response = await withDeadline(metricsMs, (late) => {
        const signal = AbortSignal.any([request.signal, late]);
        return send(target, request, null, undefined, { signal, maxMs: 0 });
      });
      if (response.status < 500) return response;
    } catch {
      // It is late.
    }
    return absent(target, request, 'starting');
  };

  return async (target, request, connections) => {
    prepareHeaders(request.headers);
    const length = contentLength(request.headers);
    if (length !== null) request.headers.set('content-length', String(length));
    setOwnHeaders(request.headers, target, connections?.addressOf(request), readings);
    const keepOpen = (response: Promise<Response>) =>
      connections?.keepOpen(request, response) ?? response;
    if (request.body === null)
      return keepOpen(
        isMetrics(target)
          ? sendForMetrics(target, request)
          : send(target, request, null, connections),
      );
    if (length !== null && length <= smallBodyBytes)
      return keepOpen(sendSmall(target, request, connections));
    const upload = watchRequest(request, connections);
    const sent = send(target, request, upload?.body ?? null, connections);
    return keepOpen(orLate(sent, upload, () => absent(target, request, 'late')));
  };
}

interface Wait {
  readonly signal: AbortSignal;
  /** For an app that is not ready. */
  readonly maxMs?: number;
}

type Body = Uint8Array<ArrayBuffer> | ReadableStream | null;

// `unix`, `decompress` and `timeout` are options of Bun. Its own timeout of five minutes would end a long download.
const fetchOptions = {
  redirect: 'manual',
  decompress: false,
  keepalive: true,
  timeout: false,
} as const satisfies BunFetchRequestInit & { timeout: boolean };

/** Reads a small body. */
async function readInTime(request: Request): Promise<Uint8Array<ArrayBuffer> | 'late' | 'lost'> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), stalledBodyMs);
  const body = request.bytes().catch(() => 'lost' as const);
  try {
    return await Promise.race([body, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the length of the body, which a request may state twice (RFC 9110, 8.6).
 * Null where it has none.
 */
function contentLength(headers: Headers): number | null {
  const [first = ''] = headers.get('content-length')?.split(',') ?? [];
  return /^\d+$/.test(first) ? Number(first) : null;
}

/**
 * Removes what belongs to one connection (RFC 9110, 7.6.1).
 * Keeps Bun from adding headers of its own.
 */
function prepareHeaders(headers: Headers): void {
  for (const name of ['connection', 'keep-alive', 'upgrade', 'expect', 'te', 'proxy-connection'])
    headers.delete(name);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  if (!headers.has('user-agent')) headers.set('user-agent', '');
}

/** Returns whether a request failed before anything was sent. */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:ConnectionRefused|ECONNREFUSED|ENOENT|FailedToOpenSocket)$/.test(code);
}

// Pages, images and lists have less.
const bufferedBytes = 256_000;

/**
 * Returns the response to send.
 * Bun 1.4.5 drops the length of a body that is a stream, so that a body with a length is read first; a longer one is
 * sent as a stream, without its length. JSON without a length is a list of the API, see `largeJson`.
 */
async function passedBack(
  response: Response,
  method: string,
  download: (body: AsyncIterable<Uint8Array>) => ReadableStream,
): Promise<Response> {
  const { status, headers, body } = response;
  const length = headers.get('content-length');
  const streamed = () =>
    body === null ? response : new Response(download(body), { status, headers });
  if (length !== null && Number(length) > bufferedBytes) {
    if (method !== 'HEAD') return streamed();
    // It has the headers that GET has. Bun would add the length of a body that is no stream.
    headers.delete('content-length');
    return new Response(inOnePiece(''), { status, headers });
  }
  if (body === null || method === 'HEAD') return response;
  if (length !== null) return new Response(await response.bytes(), { status, headers });
  const isList = /^application\/json/.test(headers.get('content-type') ?? '');
  if (!isList) return streamed();
  return new Response(inOnePiece(await response.bytes()), { status, headers });
}
