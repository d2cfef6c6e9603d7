import { ApiError } from '../core/errors.ts';
import { noteFailure } from '../core/failures.ts';
import type { Logger } from '../lib/logger.ts';

/**
 * Turns anything thrown into the refusal that the client is told of. What is no refusal is logged
 * and becomes `internal_error`, without a word about what it was.
 */
export function toApiError(thrown: unknown, log: Logger): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return noteFailure(thrown, log) === 'busy'
    ? new ApiError('unavailable', undefined, { 'Retry-After': '1' })
    : new ApiError('internal_error');
}

/** The envelope of the contract (SPEC, "Error record"), with the headers of the refusal. */
export function errorResponse(error: ApiError, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error: { code: error.code, message: error.message } },
    { status: error.status, headers: { ...headers, ...error.headers } },
  );
}
