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

/**
 * Where to go after signing in: a page of the panel, never anywhere else. Only plain paths are
 * taken, so there is nothing in them to misread.
 */
export function safeNext(text: string | null): string {
  return text !== null && /^\/account(?:\/[\w-]+)*$/.test(text) ? text : '/account';
}
