/**
 * Whether a request that changes something was made by one of our own pages. Browsers say so in
 * `Sec-Fetch-Site`; those that do not yet name the page's origin. A request with neither is no
 * browser's form.
 *
 * @param publicUrl where people reach the server
 */
export function isOwnForm(headers: Headers, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  return headers.get('origin') === new URL(publicUrl).origin;
}

/** Compares two tokens without telling by its time how much of them agrees. */
export function isSameToken(one: string, other: string): boolean {
  const encoder = new TextEncoder();
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}

// A request line holds 16 KB, and each percent sign of a query takes three characters on its way through one.
const longestQuery = 4096;

/**
 * Where to go after signing in: a page of the panel with its query, never anywhere else. Only plain paths are
 * taken, so there is nothing in them to misread, and a query is spelled anew.
 */
export function safeNext(text: string | null): string {
  const [, path, search = ''] = /^(\/account(?:\/[\w-]+)*)(\?.*)?$/s.exec(text ?? '') ?? [];
  if (path === undefined) return '/account';
  const query = new URLSearchParams(search);
  // What was done before is not done once more by signing in.
  query.delete('done');
  const spelled = query.toString();
  return spelled === '' || spelled.length > longestQuery ? path : `${path}?${spelled}`;
}
