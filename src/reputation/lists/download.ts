import type { Deadline } from '../../lib/deadline.ts';
import { InvalidListRequest } from '../errors.ts';
import { mayFetch } from './sources.ts';

/** `fetch`, as an argument. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const mostRedirects = 5;

/**
 * Fetches a list, following redirects only to https on the same host (http stays on this machine).
 *
 * @throws InvalidListRequest when a redirect leads elsewhere
 */
export async function fetchList(
  start: { readonly url: string; readonly allowLoopbackHttp: boolean },
  fetch: Fetch,
  init: RequestInit,
): Promise<Response> {
  let url = new URL(start.url);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await fetch(url.href, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status === 304 || response.status < 300 || response.status >= 400) return response;
    await response.body?.cancel();
    const next = location === null ? null : URL.parse(location, url.href);
    if (next === null) throw new InvalidListRequest('The server redirects to nowhere.');
    if (next.hostname !== url.hostname || !mayFetch(next, start.allowLoopbackHttp)) {
      throw new InvalidListRequest(
        'The server redirects to another host or away from https; not followed.',
      );
    }
    url = next;
  }
  throw new InvalidListRequest(`The server redirects more than ${mostRedirects} times.`);
}

/**
 * The body of an answer in pieces. Whoever stops early closes the connection.
 *
 * @throws InvalidListRequest when it is longer than `longestBytes`, counted after decompression
 * @throws DOMException TimeoutError when the deadline passes before its end
 */
export async function* piecesOfBody(
  response: Response,
  longestBytes: number,
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
      if (bytes > longestBytes) {
        throw new InvalidListRequest(`The answer is longer than ${longestBytes} bytes.`);
      }
      yield value;
    }
  } finally {
    // Not awaited: a body that never ends need not ever be cancelled either.
    reader.cancel().catch(() => {});
  }
}
