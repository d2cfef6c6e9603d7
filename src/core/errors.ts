/**
 * The errors a client can meet: the closed list of the contract (SPEC, "Errors") and the two that
 * stand for our own failures. One table says which HTTP status each has and what it tells by default.
 */
const errors = {
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_url: [400, 'The URL is not a valid http or https URL.'],
  unauthorized: [
    401,
    'The API key is missing or invalid. Send it as "Authorization: Bearer <API_KEY>".',
  ],
  plan_required: [402, 'The paid plan of this account has ended. Printed codes go on redirecting.'],
  not_found: [404, 'There is nothing here.'],
  method_not_allowed: [
    405,
    'This method is not allowed here; the Allow header lists those that are.',
  ],
  unsafe_url: [422, 'The destination is flagged as dangerous by the safe-browsing check.'],
  design_unreadable: [422, 'The default design of this account does not produce a readable QR.'],
  rate_limited: [429, 'Too many requests for this key. Wait as many seconds as Retry-After says.'],
  internal_error: [500, 'Something failed on our side. The log of the server says what.'],
  unavailable: [
    503,
    'The server cannot do this right now; nothing was changed. Try again shortly.',
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errors;

/** Every code of the table, in its order. The keys of a constant object that is not empty are exactly these. */
export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/** The HTTP status that the contract gives a code. */
export function httpStatus(code: ErrorCode): number {
  return errors[code][0];
}

/** The message a code has when nothing more precise is known. */
export function defaultMessage(code: ErrorCode): string {
  return errors[code][1];
}

/**
 * A refusal that the client is told of, word for word. Anything else that is thrown is a fault of
 * ours and reaches the client only as `internal_error`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string = defaultMessage(code),
    /** Response headers that belong to this refusal, such as `Allow` or `Retry-After`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get status(): number {
    return httpStatus(this.code);
  }
}
