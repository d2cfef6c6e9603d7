import { ApiError, logFailure } from '../core/errors.ts';
import type { Logger } from '../lib/logger.ts';

/** Returns anything thrown as an API error. Logs what the client must not see. */
export function toApiError(thrown: unknown, log: Logger): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return logFailure(thrown, log) === 'busy'
    ? new ApiError('unavailable', undefined, { 'Retry-After': '1' })
    : new ApiError('internal_error');
}

/** Returns the error record of the contract (SPEC, "Error record") with the error's headers. */
export function errorResponse(error: ApiError): Response {
  return Response.json(
    { error: { code: error.code, message: error.message } },
    { status: error.status, headers: error.headers },
  );
}
