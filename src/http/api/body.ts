import { ApiError } from '../../core/errors.ts';
import { readAtMost } from '../../lib/files/bounded-read.ts';

/** Largest body of an API request in bytes: fits a URL of 2,048 characters that are all escaped. */
const bodyLimitBytes = 64 * 1024;

/**
 * Reads the body of a request.
 *
 * @throws ApiError invalid_json if it is too large, compressed or incomplete; invalid_request if it is late
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding') ?? '';
  // A small compressed body could unpack to any size.
  if (!/^(?:identity)?$/i.test(encoding))
    throw invalidJson('The body has a Content-Encoding. Send it uncompressed.');
  if (Number(request.headers.get('content-length')) > bodyLimitBytes) throw tooLarge();
  // The redirect server ends one that is late.
  const body = await readAtMost(request.body, bodyLimitBytes);
  if (body === 'too long') throw tooLarge();
  // The client disconnected.
  if (body === 'broken off')
    throw invalidJson('The connection closed before the whole body arrived.');
  return body;
}

/**
 * Parses a body as a JSON object (SPEC rule 2).
 *
 * @throws ApiError invalid_json
 */
export function parseJsonObject(body: Uint8Array): Record<string, unknown> {
  if (body.length === 0) throw invalidJson('The body is empty. Send {"url": "https://…"}.');
  const value = parseJson(body);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalidJson('The body is JSON, but not an object. Send {"url": "https://…"}.');
  // Objects of JSON.parse have string keys.
  return value as Record<string, unknown>;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw invalidJson(
      error instanceof SyntaxError
        ? 'The body is not valid JSON. Send {"url": "https://…"}.'
        : 'The body is not valid UTF-8. JSON must be UTF-8 (RFC 8259, 8.1).',
    );
  }
}

function tooLarge(): ApiError {
  return invalidJson(`The body is larger than ${bodyLimitBytes / 1024} KiB.`);
}

function invalidJson(message: string): ApiError {
  return new ApiError('invalid_json', message);
}
