import { type Upload, watchUpload } from './forwarding/uploads.ts';
import type { RedirectReadings } from './metrics/metrics.ts';

/** The connections that requests come over. */
export interface Connections {
  /** Returns the IP address of the other end. */
  addressOf(request: Request): string | undefined;
  /**
   * Keeps a connection open while its response is being computed.
   * An image may wait in the render queue for long, and a body may arrive slowly, see `watchUpload`.
   */
  keepOpen(request: Request, response: Promise<Response>): Promise<Response>;
  /** Lets a body that is kept open take its time: to be called with each chunk, since Bun sets its timeout again. */
  setUploading(request: Request): void;
  /** Sets the idle timeout of a connection, which is longer during a download. */
  setDownloading(request: Request, isDownloading: boolean): void;
}

/** Handles what no short link answers, in the app. Never rejects. */
export type AppHandler = (request: Request) => Promise<Response>;

/**
 * Passes a request on to the app and returns its response. Never rejects.
 *
 * @param target path and query, normalized, without a base path that a proxy left in place
 */
export type PassOn = (
  target: string,
  request: Request,
  connections?: Connections,
) => Promise<Response>;

/**
 * Names the IP address of the client to the app.
 * The redirect server sets it on every request that it passes on, so that a client cannot forge it.
 */
export const peerHeader = 'x-waymark-peer';

/** Has the {@link RedirectReadings} as JSON, on a request for the metrics. Set like {@link peerHeader}. */
const readingsHeader = 'x-waymark-readings';

/** Returns whether a path with its query is that of the metrics. */
export function isMetrics(target: string): boolean {
  return /^\/metrics(?:\?|$)/.test(target);
}

/** Returns the readings that came with a request. */
export function readingsOf({ headers }: Request): RedirectReadings {
  // The redirect server, which has the same version, sets the header on each request for the metrics.
  return JSON.parse(headers.get(readingsHeader) ?? '') as RedirectReadings;
}

/**
 * The path at which the app answers GET with its health report.
 * The redirect server never passes it on.
 */
export const healthReportPath = '/healthz';

/**
 * Passes requests on to an app of the same process.
 *
 * @param late responds to a body that does not arrive in time
 */
export function passOnWithin(
  app: AppHandler,
  readings: () => RedirectReadings,
  late: (target: string, request: Request) => Promise<Response>,
): PassOn {
  return (target, request, connections) => {
    const { method, headers, signal } = request;
    const upload = watchRequest(request, connections);
    const passed = new Request(`http://localhost${target}`, {
      ...{ method, headers, signal },
      body: upload?.body ?? null,
    });
    setOwnHeaders(passed.headers, target, connections?.addressOf(request), readings);
    const response = orLate(app(passed), upload, () => late(target, request));
    return connections?.keepOpen(request, response) ?? response;
  };
}

/** Watches the body of a request; null if it has none. */
export function watchRequest(
  request: Request,
  connections: Connections | undefined,
): Upload | null {
  return request.body && watchUpload(request.body, () => connections?.setUploading(request));
}

/** Returns the response to a request, or another if its body is late before. */
export function orLate(
  response: Promise<Response>,
  upload: Upload | null,
  late: () => Promise<Response>,
): Promise<Response> {
  if (upload === null) return response;
  // A response to half of a body says that the client has gone, which is not so.
  return Promise.race([upload.late.then(late), response]);
}

/** Sets the headers that only the redirect server may set. */
export function setOwnHeaders(
  headers: Headers,
  target: string,
  peer: string | undefined,
  readings: () => RedirectReadings,
): void {
  headers.set(peerHeader, peer ?? '');
  if (isMetrics(target)) headers.set(readingsHeader, JSON.stringify(readings()));
  else headers.delete(readingsHeader);
}
