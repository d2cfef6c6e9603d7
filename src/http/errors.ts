import { ApiError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { RendererBusy, StoreUnavailable } from '../core/ports.ts';

/**
 * Turns anything thrown into the refusal that the client is told of. What is no refusal is logged
 * and becomes `internal_error`, without a word about what it was.
 */
export function toApiError(thrown: unknown, log: Log): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof RendererBusy || thrown instanceof StoreUnavailable) {
    log.warn(thrown.message, thrown.cause instanceof Error ? { cause: thrown.cause.message } : {});
    return new ApiError('unavailable', undefined, { 'Retry-After': '1' });
  }
  log.error('request failed', { cause: causeOf(thrown) });
  return new ApiError('internal_error');
}

/** The envelope of the contract (SPEC, "Error record"), with the headers of the refusal. */
export function errorResponse(error: ApiError, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error: { code: error.code, message: error.message } },
    { status: error.status, headers: { ...headers, ...error.headers } },
  );
}

function causeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? ` (${thrown.cause.message})` : '';
  return `${thrown.stack ?? thrown.message}${cause}`;
}
