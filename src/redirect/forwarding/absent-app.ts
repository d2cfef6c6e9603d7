import { ApiError } from '../../core/errors.ts';
import type { MetricsDeps, RedirectReadings } from '../metrics/metrics.ts';
import type { Addresses } from '../pages/layout.ts';
import { isMetrics } from '../pass-on.ts';
import { lateBody } from '../protocol.ts';
import type { WithRequestId } from '../request-ids.ts';
import { errorRecord, retryAfterOperator, routeClassOf } from '../responses.ts';

/** Why a request gets no response of the app. */
export type Absence =
  /** The server only redirects, until its operator has acted. */
  | 'off'
  /** The app is starting, or starting again, and has not seen the request. */
  | 'starting'
  /** The app was lost after the request was sent to it, so that a change may have been made. */
  | 'interrupted'
  /** The body of the request did not arrive in time, and the app has not seen it. */
  | 'late';

/** Responds to a request in place of the app. Never rejects. */
export type AbsentApp = (target: string, request: Request, absence: Absence) => Promise<Response>;

const startingHeaders = { 'Retry-After': '5' };

const messages = {
  off: 'This server only redirects at the moment. Nothing was changed. Printed codes continue to redirect.',
  starting: 'The server is starting. Nothing was changed. Try again in a few seconds.',
  interrupted:
    'The server was interrupted during this request. The change may have been made: look before you repeat it.',
} as const satisfies Record<Exclude<Absence, 'late'>, string>;

/**
 * Creates the responses of the redirect server for everything that the app would answer.
 * Metrics, and 503.
 */
export function createAbsentApp(deps: {
  readonly addresses: Addresses;
  readonly withRequestId: WithRequestId;
  readonly readings: () => RedirectReadings;
  readonly metrics: MetricsDeps;
}): AbsentApp {
  const respond = async (target: string, request: Request, absence: Absence) => {
    if (absence === 'late') return lateResponse(target);
    const { method } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && isMetrics(target)) {
      const { metricsPage } = await import('../metrics/metrics.ts');
      const others = await deps.metrics.read();
      return metricsPage({ redirects: deps.readings(), ...others });
    }
    const headers = absence === 'off' ? retryAfterOperator : startingHeaders;
    if (routeClassOf(target) === 'api')
      return errorRecord(new ApiError('unavailable', messages[absence], headers));
    const pages = await import('../pages/scan-pages.ts');
    const visit = pages.visitOf(deps.addresses, request);
    // Whoever lands here without a code needs nothing of the app.
    if (isRead && /^\/(?:\?|$)/.test(target))
      return pages.rootPage(visit, { isSignedIn: false, code: null });
    if (absence === 'off') return pages.redirectOnlyPage(visit);
    return pages.appAwayPage(visit, absence, headers);
  };
  return (target, request, absence) =>
    deps.withRequestId(routeClassOf(target), request, () => respond(target, request, absence));
}

/** Responds to a body that did not arrive in time, and closes the connection. */
function lateResponse(target: string): Response {
  const error = lateBody();
  return routeClassOf(target) === 'api'
    ? errorRecord(error)
    : new Response(`${error.message}\n`, { status: 408, headers: { Connection: 'close' } });
}
