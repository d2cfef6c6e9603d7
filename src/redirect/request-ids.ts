import { logFailure } from '../core/errors.ts';
import { type Logger, withDetails } from '../lib/logger.ts';
import type { Addresses } from './pages/layout.ts';
import {
  createSecurityHeaders,
  errorRecord,
  type ResponseCounts,
  type RouteClass,
} from './responses.ts';

/**
 * Runs a handler with a request id of its own, and counts the response.
 * Log lines and the response carry the id. Never rejects: an error that is thrown becomes a logged 500.
 */
export type WithRequestId = (
  route: RouteClass,
  request: Request,
  handle: (log: Logger) => Promise<Response>,
) => Promise<Response>;

/** Creates the function that gives requests their ids. @param deps.hostHeaders added to every response */
export function createRequestIds(deps: {
  readonly addresses: Addresses;
  readonly responses: Pick<ResponseCounts, 'count'>;
  readonly hostHeaders: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly newRequestId: () => string;
}): WithRequestId {
  const { addresses, responses, log, newRequestId } = deps;
  const withSecurityHeaders = createSecurityHeaders(deps.hostHeaders);
  return async (route, request, handle) => {
    const id = newRequestId();
    const requestLog = withDetails(log, { request: id });
    const response = await handle(requestLog).catch(async (error: unknown) => {
      const failure = logFailure(error, requestLog);
      if (route === 'api') return errorRecord(failure);
      const pages = await import('./pages/scan-pages.ts');
      return pages.errorPage(pages.visitOf(addresses, request), id);
    });
    responses.count(route, response.status);
    response.headers.set('X-Request-Id', id);
    return withSecurityHeaders(response);
  };
}

/** Returns a new id of a request: 16 hexadecimal digits. */
export function createRequestId(): string {
  return crypto.getRandomValues(new Uint8Array(8)).toHex();
}
