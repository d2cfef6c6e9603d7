import { isDeadline, withDeadline } from '../../lib/deadline.ts';
import { errnoOf } from '../../lib/errors.ts';
import { type BoundedRead, readAtMost } from '../../lib/files/bounded-read.ts';
import { ProviderFailure } from './provider.ts';

/** `fetch`, as an argument. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How to reach a provider. */
export interface Connection {
  readonly fetch: Fetch;
  /** For one request, with the body of its response. */
  readonly deadlineMs?: number;
}

/** How to reach a Google API. */
export interface GoogleConnection extends Connection {
  readonly key: string;
  /** Base address, without a trailing slash, if it is not Google's. */
  readonly url?: string;
}

/** A complete response with status 200. */
export interface ProviderResponse {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}

const defaultDeadlineMs = 1_500;
const maxResponseBytes = 65_536;
// The content of the request is at fault, not the key or the address (RFC 9110, 15.5; RFC 6585).
const contentFaults: readonly number[] = [400, 413, 414, 422, 431];

/**
 * Sends one request to a provider.
 *
 * @throws ProviderFailure unless a complete response with status 200 arrives in time. Its message
 *   never has the URL, which may contain the key.
 */
export async function request(
  { fetch, deadlineMs = defaultDeadlineMs }: Connection,
  url: string,
  init: RequestInit,
): Promise<ProviderResponse> {
  try {
    const { status, headers, body } = await withDeadline(deadlineMs, async (signal) => {
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      const { status, headers } = response;
      return { status, headers, body: await readAtMost(response.body, maxResponseBytes) };
    });
    if (status !== 200) throw statusFailure(status, body);
    if (body === 'too long')
      throw new ProviderFailure(`The response is longer than ${maxResponseBytes} bytes.`);
    if (body === 'broken off') throw new ProviderFailure('The connection broke off.');
    return { body, headers };
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    if (isDeadline(error))
      throw new ProviderFailure(`No complete response within ${deadlineMs} ms.`);
    // The message of a failed fetch may quote the URL; its code is a word such as ECONNRESET.
    throw new ProviderFailure(`The connection failed (${errnoOf(error) || 'unknown cause'}).`);
  }
}

/** @throws ProviderFailure when the body is not valid JSON */
export function jsonOf({ body }: ProviderResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new ProviderFailure('The response is not valid JSON.');
  }
}

function statusFailure(status: number, body: BoundedRead): ProviderFailure {
  // Google responds 400, not 401, to an invalid key.
  const isKeyInvalid = typeof body !== 'string' && Buffer.from(body).includes('API_KEY_INVALID');
  if (status === 401 || status === 403 || isKeyInvalid)
    return new ProviderFailure(`The provider rejects the key (${status}).`);
  if (status === 429) return new ProviderFailure('The quota is used up (429).');
  if (status >= 300 && status < 400)
    return new ProviderFailure(`The provider redirects (${status}), which is not followed.`);
  if (contentFaults.includes(status))
    return new ProviderFailure(`The provider rejects this URL (${status}).`, true);
  return new ProviderFailure(`The provider responds with status ${status}.`);
}
