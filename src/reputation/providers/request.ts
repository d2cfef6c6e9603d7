import { type Deadline, startDeadline } from '../../lib/deadline.ts';
import { parseJson } from '../../lib/json.ts';
import { InvalidListRequest } from '../errors.ts';
import { type Fetch, piecesOfBody } from '../lists/download.ts';
import { ProviderFailure } from './provider.ts';

/** How a provider is reached. */
export interface Connection {
  readonly fetch: Fetch;
  /** For the whole of a question, the body of the answer included. */
  readonly deadlineMs?: number;
}

/** A valid answer: status 200, whole, within the bounds. */
export interface ProviderReply {
  readonly body: Uint8Array;
  readonly headers: Headers;
}

const usualDeadlineMs = 1_500;
const longestReply = 65_536;
// What is wrong with the content of a request, and not with where or how it is put (RFC 9110, 15.5; RFC 6585).
const questionFaults: readonly number[] = [400, 413, 414, 422, 431];

/**
 * Puts one question to a provider.
 *
 * @throws ProviderFailure for any other outcome than a whole answer with status 200 in time. Its
 *   message never carries the URL, in which the key may stand.
 */
export async function askOnce(
  { fetch, deadlineMs = usualDeadlineMs }: Connection,
  url: string,
  init: RequestInit,
): Promise<ProviderReply> {
  const deadline = startDeadline(deadlineMs);
  try {
    const options = { ...init, redirect: 'manual', signal: deadline.signal } as const;
    const response = await deadline.within(fetch(url, options));
    if (response.status === 400 && (await refusesKey(response, deadline))) throw failureOf(401);
    if (response.status !== 200) {
      response.body?.cancel().catch(() => {});
      throw failureOf(response.status);
    }
    return { body: await bodyOf(response, deadline), headers: response.headers };
  } catch (error) {
    throw asFailure(error, deadlineMs);
  } finally {
    deadline.stop();
  }
}

/** The JSON object of an answer. */
export function jsonOf({ body }: ProviderReply): unknown {
  const value = parseJson(Buffer.from(body).toString('utf8'));
  if (value === undefined) throw new ProviderFailure('malformed', 'The answer is not valid JSON.');
  return value;
}

export function isJson({ headers }: ProviderReply): boolean {
  return /^application\/(?:[a-z.+-]*\+)?json\b/i.test(headers.get('content-type') ?? '');
}

/** A base address without a slash at its end, so that paths can be put behind it. */
export function baseOf(url: string): string {
  return url.replace(/\/+$/, '');
}

async function bodyOf(response: Response, deadline: Deadline): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOfBody(response, longestReply, deadline)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Google answers 400, not 401, to a key that is none, with this word in JSON as in protobuf. */
async function refusesKey(response: Response, deadline: Deadline): Promise<boolean> {
  try {
    return (await bodyOf(response, deadline)).includes('API_KEY_INVALID');
  } catch {
    return false; // a body that cannot be read says nothing of the key
  }
}

function failureOf(status: number): ProviderFailure {
  if (status === 429) return new ProviderFailure('quota', 'The quota is used up (429).');
  if (status === 401 || status === 403) {
    return new ProviderFailure('refused', `The provider refuses the key (${status}).`);
  }
  if (questionFaults.includes(status)) {
    return new ProviderFailure(
      'question',
      `The provider cannot be asked about this address (${status}).`,
    );
  }
  const redirects = status >= 300 && status < 400;
  return redirects
    ? new ProviderFailure('redirect', `The provider redirects (${status}); not followed.`)
    : new ProviderFailure('status', `The provider answers ${status}.`);
}

function asFailure(error: unknown, deadlineMs: number): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof InvalidListRequest) {
    return new ProviderFailure('oversized', `The answer is longer than ${longestReply} bytes.`);
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ProviderFailure('timeout', `There was no whole answer within ${deadlineMs} ms.`);
  }
  // The message of a failed fetch may quote the URL; its code is a word such as ECONNRESET.
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const word = /^[A-Za-z_]{1,40}$/.test(code) ? ` (${code})` : '';
  return new ProviderFailure('connection', `The connection failed${word}.`);
}
