import type { Deadline } from '../../lib/deadline.ts';
import { InvalidListRequest } from '../errors.ts';

/** `fetch`, as an argument. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Requests a list. Redirects are not followed, because they could lead away from https.
 *
 * @throws InvalidListRequest unless the status is 200 or, to a conditional request, 304
 */
export async function downloadList(
  url: string,
  fetch: Fetch,
  init: RequestInit & { readonly headers: Record<string, string> },
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { status, headers } = response;
  const isConditional = Object.keys(init.headers).length > 0;
  if (status === 200 || (status === 304 && isConditional)) return response;
  await response.body?.cancel();
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  const target = location === null ? null : URL.parse(location, url);
  throw new InvalidListRequest(
    target === null
      ? `The server responds with status ${status}.`
      : `The server redirects to ${target.href}. If you trust that address, add the source with it.`,
  );
}

/**
 * Streams the body of a response. Ending the iteration early closes the connection.
 *
 * @throws InvalidListRequest when it is longer than `maxBytes` after decompression
 * @throws DOMException TimeoutError at the deadline
 */
export async function* limitedBody(
  response: Response,
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await deadline.within(reader.read());
      if (done) return;
      bytes += value.length;
      if (bytes > maxBytes)
        throw new InvalidListRequest(`The response is longer than ${maxBytes} bytes.`);
      yield value;
    }
  } finally {
    // Not awaited: cancelling a body that never ends may never resolve.
    reader.cancel().catch(() => {});
  }
}
