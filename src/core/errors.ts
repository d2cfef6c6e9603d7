import type { Logger } from '../lib/logger.ts';
import type { ApiReason, Reason } from './reasons.ts';

/**
 * The error codes of the API with HTTP status and default message: those of the contract (SPEC,
 * "Errors"), two for failures of the server, and two for requests that are rejected before they are routed.
 */
const errors = {
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_url: [400, 'The URL is not a valid http or https URL.'],
  unauthorized: [
    401,
    'The API key is missing or invalid. Send it as "Authorization: Bearer <API_KEY>".',
  ],
  plan_required: [
    402,
    'The paid plan of this account has expired. Printed codes continue to redirect.',
  ],
  not_found: [404, 'Nothing was found at this address.'],
  method_not_allowed: [
    405,
    'This method is not allowed here. The Allow header lists those that are.',
  ],
  unsafe_url: [422, 'The destination is flagged as dangerous by the safe-browsing check.'],
  design_unreadable: [422, 'The default design of this account does not produce a readable QR.'],
  rate_limited: [429, 'Too many requests for this key. Retry-After gives the seconds to wait.'],
  internal_error: [500, 'The server failed. Its log has the cause.'],
  unavailable: [
    503,
    'The server cannot do this right now. Nothing was changed. Try again shortly.',
  ],
  invalid_request: [400, 'The request is not valid HTTP.'],
  expectation_failed: [
    417,
    'The only Expect header is "100-continue", in lower case. Leave it out.',
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errors;

/** All error codes. The cast is safe: Object.keys of a non-empty constant returns exactly its keys. */
export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/** Returns the HTTP status of an error code. */
export function httpStatus(code: ErrorCode): number {
  return errors[code][0];
}

/** Returns the default message of an error code. */
export function defaultMessage(code: ErrorCode): string {
  return errors[code][1];
}

/** An error whose message is sent to the client. Any other error is sent as `internal_error`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** Why, for the sentence of a surface. Null if the message says it. */
  readonly reason: ApiReason | null;

  /**
   * @param detail the message, or the reason
   * @param headers response headers, such as `Allow` or `Retry-After`
   */
  constructor(
    readonly code: ErrorCode,
    detail: string | ApiReason = defaultMessage(code),
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof detail === 'string' ? detail : defaultMessage(code));
    this.reason = typeof detail === 'string' ? null : detail;
  }

  get status(): number {
    return httpStatus(this.code);
  }
}

/** Returns the error of a change for an account that has been deleted meanwhile. Nothing was changed. */
export function accountDeleted(): ApiError {
  return new ApiError('unauthorized', { kind: 'account deleted' });
}

/** The server cannot do this work now: too many are waiting, or a worker failed. */
export class ServerBusy extends Error {
  override readonly name: string = 'ServerBusy';
}

/** The client disconnected before its work began. The response is dropped, and not logged. */
export class ClientGone extends ServerBusy {
  override readonly name = 'ClientGone';
}

/** The database cannot take this write now (full disk, read-only, locked). Nothing was changed. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** The connection to the database was lost during a write, which may have been carried out. */
export class OutcomeUnknown extends StoreUnavailable {
  override readonly name: string = 'OutcomeUnknown';
}

/** The server cannot start, or serve here; the message says why and what to do. */
export class CannotServe extends Error {
  override readonly name = 'CannotServe';
}

/** The database cannot be used; the message says why and what to do. */
export class DatabaseUnusable extends Error {
  override readonly name: string = 'DatabaseUnusable';
}

/**
 * The files or the server of the database cannot be reached or written now.
 * The same start may succeed later.
 */
export class DatabaseUnreachable extends DatabaseUnusable {}

/** There is no room to open the database for writing. Nothing was changed. */
export class DiskFull extends DatabaseUnusable {
  override readonly name = 'DiskFull';
}

/** What to do about a damaged database. Repair comes first: a backup lacks what came after it. */
export const repairAdvice =
  'Save what can be read with "waymark repair --to FILE", stop the server, and put it in place with "waymark ' +
  'restore FILE --force"; the damaged database is kept under another name. Restore a backup only if that ' +
  'misses too much: a backup lacks everything that came after it.';

/** Returns what is wrong with a database in which damage was found, and what to do. */
export function damageMessage(found: string): string {
  return (
    `The database is damaged (${found}): some codes or pages cannot be read. Creates and edits are rejected, so ` +
    `that a repair misses none. ${repairAdvice}`
  );
}

/** The content of the database is lost or damaged. */
export class DatabaseCorrupt extends DatabaseUnusable {
  override readonly name = 'DatabaseCorrupt';

  /** @param reason what was found, without the path of the database, which clients must not see */
  constructor(
    message: string,
    readonly reason: string,
  ) {
    super(message);
  }
}

/**
 * A request that cannot be carried out, or an input that cannot be used.
 * Each surface says the reason in its own words.
 */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly reason: Reason) {
    super(reason.kind);
  }
}

/** Returns why a request was rejected. @throws the error itself if it is no rejection */
export function reasonOf(error: unknown): Reason {
  if (error instanceof Refused) return error.reason;
  if (!(error instanceof ApiError)) throw error;
  return error.reason ?? { kind: 'as stored', text: error.message };
}

/** Logs an error that is not an ApiError, and returns what clients may see of it. */
export function logFailure(thrown: unknown, log: Logger): ApiError {
  if (thrown instanceof ServerBusy || thrown instanceof StoreUnavailable) {
    if (!(thrown instanceof ClientGone))
      log.warn(
        thrown.message,
        thrown.cause instanceof Error ? { cause: thrown.cause.message } : {},
      );
    return new ApiError(
      'unavailable',
      thrown instanceof OutcomeUnknown
        ? 'The server lost its database during this request. The change may have been made: look before you repeat it.'
        : undefined,
      { 'Retry-After': '1' },
    );
  }
  log.error('request failed', { cause: describe(thrown) });
  return new ApiError('internal_error');
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? ` (${thrown.cause.message})` : '';
  return `${thrown.stack ?? thrown.message}${cause}`;
}
