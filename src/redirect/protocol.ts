import { ApiError } from '../core/errors.ts';
import { errorRecord } from './responses.ts';

// A host and a port in the grammar of RFC 3986, 3.2. Two Host lines arrive joined by a comma and a space.
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Returns what is wrong with a request that HTTP forbids or we cannot fulfil, where Bun does not.
 * Null for all others.
 */
function problemOf({ method, headers }: Request): ApiError | null {
  const host = headers.get('host');
  // RFC 9112, 3.2.
  if (host !== null && !validHost.test(host))
    return new ApiError(
      'invalid_request',
      'The Host header was sent twice or is no host. Send one, such as qr.example.com.',
    );
  if (method === 'GET' || method === 'HEAD') return null;
  const expectation = headers.get('expect');
  // Bun sends 100 Continue for lower case only. The client would wait with its body, and we for it.
  return expectation && expectation !== '100-continue' ? new ApiError('expectation_failed') : null;
}

/** Creates the error of a body that did not arrive in time. It closes the connection. */
export function lateBody(): ApiError {
  const message = 'The body of the request took too long to arrive. Send it again.';
  return new ApiError('invalid_request', message, { Connection: 'close' });
}

/**
 * Responds to a request that HTTP forbids or we cannot fulfil, before it is routed.
 * Null for all others.
 */
export function rejectInvalidRequest(request: Request): Response | null {
  const problem = problemOf(request);
  if (problem === null) return null;
  // An invalid host may have a slash, so that the path begins anywhere.
  const response = /\/api(?:[/?]|$)/i.test(request.url)
    ? errorRecord(problem)
    : new Response(`${problem.message}\n`, {
        status: problem.status,
        headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      });
  // A body that follows is not read as the next request.
  response.headers.set('Connection', 'close');
  return response;
}

/** Adds `Date` to the response to a HEAD request (RFC 9110, 6.6.1), where Bun 1.4.5 leaves it out. */
export function withDate(response: Response): Response {
  response.headers.set('Date', new Date().toUTCString());
  return response;
}

/**
 * Copies a request to another URL, a HEAD as GET:
 * Bun leaves out the body of the response, and counts its bytes.
 */
export function routedRequest(url: string | URL, request: Request): Request {
  const { method, headers, signal } = request;
  return method === 'HEAD' ? new Request(url, { headers, signal }) : new Request(url, request);
}
