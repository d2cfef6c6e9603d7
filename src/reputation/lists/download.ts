import type { Deadline } from '../../lib/deadline.ts';
import { InvalidListRequest } from '../errors.ts';
import { mayDownload } from './sources.ts';

/** `fetch`, as an argument. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const maxRedirects = 5;

/**
 * Requests a list. Follows redirects to https on the same host only (http stays on this machine).
 *
 * @throws InvalidListRequest for any other redirect
 */
export async function downloadList(
  source: { readonly url: string; readonly allowLoopbackHttp: boolean },
  fetch: Fetch,
  init: RequestInit,
): Promise<Response> {
  let url = new URL(source.url);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(url.href, { ...init, redirect: 'manual' });
    const { status } = response;
    if (status === 304 || status < 300 || status >= 400) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    const next = location === null ? null : URL.parse(location, url.href);
    if (next === null) throw new InvalidListRequest('The server redirects without an address.');
    if (next.hostname !== url.hostname || !mayDownload(next, source.allowLoopbackHttp)) {
      throw new InvalidListRequest(
        'The server redirects to another host or away from https, which is not followed.',
      );
    }
    url = next;
  }
  throw new InvalidListRequest(`The server redirects more than ${maxRedirects} times.`);
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
