import { ApiError } from '../../core/errors.ts';
import { readAtMost } from '../../lib/bounded-read.ts';

/** Largest body of an API request in bytes: a URL of 2,048 characters with every one escaped fits. */
export const bodyLimitBytes = 64 * 1024;

/**
 * The bytes of a request's body, never more than the limit of them in memory.
 *
 * @throws ApiError invalid_json when it is larger, compressed, or does not arrive whole
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  const coding = request.headers.get('content-encoding') ?? '';
  // Nothing here unpacks: a small body could come to be of any size.
  if (!/^(?:identity)?$/i.test(coding))
    throw invalidJson('The body has a Content-Encoding. Send it uncompressed.');
  if (Number(request.headers.get('content-length')) > bodyLimitBytes) throw tooLarge();
  const body = await readAtMost(request.body, bodyLimitBytes);
  if (body === 'too long') throw tooLarge();
  // A client that goes away halfway is no fault of ours.
  if (body === 'broken off')
    throw invalidJson('The connection closed before the whole body arrived.');
  return body;
}

/**
 * A body as a JSON object (SPEC rule 2).
 *
 * @throws ApiError invalid_json with a message that says what it is instead
 */
export function parseJsonObject(body: Uint8Array): Record<string, unknown> {
  if (body.length === 0) throw invalidJson('The body is empty. Send {"url": "https://…"}.');
  const value = parseJson(decodeUtf8(body));
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalidJson('The body is JSON, but not an object. Send {"url": "https://…"}.');
  // JSON.parse gives objects with string keys; which fields they have is for the caller to see.
  return value as Record<string, unknown>;
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw invalidJson('The body is not UTF-8, in which JSON is written (RFC 8259, 8.1).');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson('The body is not valid JSON. Send {"url": "https://…"}.');
  }
}

function tooLarge(): ApiError {
  return invalidJson(`The body is larger than ${bodyLimitBytes / 1024} KiB.`);
}

function invalidJson(message: string): ApiError {
  return new ApiError('invalid_json', message);
}
