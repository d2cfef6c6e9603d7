// A host and a port in the grammar of RFC 3986, 3.2. Two Host lines arrive joined by a comma and a space.
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** Responds to a request that HTTP forbids or we cannot fulfil, where Bun does not; null for all others. */
export function rejectInvalidRequest({ method, headers }: Request): Response | null {
  const host = headers.get('host');
  // RFC 9112, 3.2.
  if (host !== null && !validHost.test(host))
    return rejection(
      400,
      'The Host header was sent twice or is no host. Send one, such as qr.example.com.',
    );
  if (method === 'GET' || method === 'HEAD') return null;
  const expectation = headers.get('expect');
  // Bun sends 100 Continue for lower case only. The client would wait with its body, and we for it.
  if (expectation && expectation !== '100-continue')
    return rejection(417, 'The only Expect header is "100-continue", in lower case. Leave it out.');
  return null;
}

// A body that follows is not read as the next request.
function rejection(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { Connection: 'close', 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

/** Adds `Date` to the response to a HEAD request (RFC 9110, 6.6.1), where Bun 1.4.5 leaves it out. */
export function withDate(response: Response): Response {
  response.headers.set('Date', new Date().toUTCString());
  return response;
}
