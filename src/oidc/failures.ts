import { ProviderFailure, type ProviderProblem } from '../core/accounts/sign-in/provider.ts';
import { isDeadline } from '../lib/deadline.ts';
import { errnoOf, errorMessage } from '../lib/errors.ts';

/** What the clock of a provider differs by, as its last answer says. */
export interface Skew {
  ms: number;
}

/** Errors of the library (`OAUTH_…`) and of the protocol, and what they mean. Others are wrong answers. */
const problems: Readonly<Record<string, ProviderProblem>> = {
  OAUTH_TIMEOUT: 'slow',
  OAUTH_ABORT: 'slow',
  OAUTH_PARSE_ERROR: 'no provider',
  OAUTH_RESPONSE_IS_NOT_JSON: 'no provider',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'no provider',
  OAUTH_MISSING_SERVER_METADATA: 'no provider',
  OAUTH_INVALID_SERVER_METADATA: 'no provider',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'no provider',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'no provider',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'other issuer',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  access_denied: 'denied',
  login_required: 'denied',
  interaction_required: 'denied',
  account_selection_required: 'denied',
  consent_required: 'denied',
  server_error: 'unreachable',
  temporarily_unavailable: 'unreachable',
  invalid_client: 'wrong client',
  unauthorized_client: 'wrong client',
  invalid_request: 'wrong client',
  invalid_scope: 'scope refused',
  unsupported_response_type: 'wrong client',
  invalid_grant: 'code used',
};

/** Returns what was thrown while a provider was asked, as a failure with words for the log. */
export function toProviderFailure(thrown: unknown, skew: Readonly<Skew>): ProviderFailure {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (error instanceof ProviderFailure) return error;
  if (isDeadline(thrown)) return new ProviderFailure('slow', 'timeout', errorMessage(thrown));
  // The name that the protocol gives it, if the provider has named one.
  const named = String(Object(thrown).error ?? '');
  const code = /^[\w-]{1,60}$/.test(named) ? named : errnoOf(thrown) || 'error';
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const detail = [errorMessage(thrown), detailOf(cause)].filter(Boolean).join(': ');
  const status = Object(cause).status;
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && Number(status) >= 500)
    return new ProviderFailure('unreachable', `http_${status}`, `it answers ${status}`);
  // The time of the sign-in, which only a confirmation asks for.
  const isAge = /auth_time|max_age|too much time/i.test(detail);
  if (isAge) return new ProviderFailure('not fresh', code, detail);
  const isSkewed = code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
  const seconds = Math.round(skew.ms / 1000);
  const clock = isSkewed
    ? ` (its clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'})`
    : '';
  return new ProviderFailure(
    problems[code] ?? 'wrong answer',
    code,
    `${detail}${clock}`.slice(0, 500),
  );
}

/** Returns what a cause adds, without anything that may be a secret. */
function detailOf(cause: unknown): string {
  const issuer = Object(Object(cause).body).issuer;
  if (typeof issuer === 'string') return `the document names the issuer ${issuer.slice(0, 200)}`;
  return cause instanceof Error ? cause.message : '';
}
