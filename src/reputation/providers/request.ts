import { type Deadline, startDeadline } from '../../lib/deadline.ts';
import { InvalidListRequest } from '../errors.ts';
import { type Fetch, limitedBody } from '../lists/download.ts';
import { ProviderFailure } from './protocol.ts';

/** How to reach a provider. */
export interface Connection {
  readonly fetch: Fetch;
  /** For one request, with the body of its response. */
  readonly deadlineMs?: number;
}

/** A complete response with status 200. */
export interface ProviderResponse {
  readonly body: Uint8Array;
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
  const deadline = startDeadline(deadlineMs);
  try {
    const options = { ...init, redirect: 'manual', signal: deadline.signal } as const;
    const response = await deadline.within(fetch(url, options));
    if (response.status === 400 && (await rejectsKey(response, deadline))) throw failureOf(401);
    if (response.status !== 200) {
      response.body?.cancel().catch(() => {});
      throw failureOf(response.status);
    }
    return { body: await bodyOf(response, deadline), headers: response.headers };
  } catch (error) {
    throw toFailure(error, deadlineMs);
  } finally {
    deadline.stop();
  }
}

/** @throws ProviderFailure when the body is not valid JSON */
export function jsonOf({ body }: ProviderResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new ProviderFailure('malformed', 'The response is not valid JSON.');
  }
}

/** Returns whether a parsed JSON value is an object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJson({ headers }: ProviderResponse): boolean {
  return /^application\/(?:[a-z.+-]*\+)?json\b/i.test(headers.get('content-type') ?? '');
}

export function withoutTrailingSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}

async function bodyOf(response: Response, deadline: Deadline): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitedBody(response, maxResponseBytes, deadline)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Google responds 400, not 401, to an invalid key, with this word in JSON and in protobuf. */
async function rejectsKey(response: Response, deadline: Deadline): Promise<boolean> {
  try {
    return (await bodyOf(response, deadline)).includes('API_KEY_INVALID');
  } catch {
    return false; // an unreadable body is a failure of another kind
  }
}

function failureOf(status: number): ProviderFailure {
  if (status === 429) return new ProviderFailure('quota', 'The quota is used up (429).');
  if (status === 401 || status === 403)
    return new ProviderFailure('refused', `The provider rejects the key (${status}).`);
  if (contentFaults.includes(status))
    return new ProviderFailure('question', `The provider rejects this address (${status}).`);
  return status >= 300 && status < 400
    ? new ProviderFailure('redirect', `The provider redirects (${status}), which is not followed.`)
    : new ProviderFailure('status', `The provider responds with status ${status}.`);
}

function toFailure(error: unknown, deadlineMs: number): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof InvalidListRequest)
    return new ProviderFailure(
      'oversized',
      `The response is longer than ${maxResponseBytes} bytes.`,
    );
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ProviderFailure('timeout', `No complete response within ${deadlineMs} ms.`);
  // The message of a failed fetch may quote the URL; its code is a word such as ECONNRESET.
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const word = /^[A-Za-z_]{1,40}$/.test(code) ? ` (${code})` : '';
  return new ProviderFailure('connection', `The connection failed${word}.`);
}
