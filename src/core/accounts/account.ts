import { ApiError } from '../errors.ts';

/** An account: owns codes, signs in to the panel, and uses the API with its key while its plan is active. */
export interface Account {
  readonly id: number;
  /** Lower case, unique. */
  readonly email: string;
  /** An operator also manages accounts, rules and lists. */
  readonly isOperator: boolean;
  /** Expiry of the paid plan in milliseconds since the epoch; null if it does not expire. */
  readonly planUntilMs: number | null;
  readonly createdAtMs: number;
}

/** Returns whether the plan is active at an instant. The last millisecond belongs to it. */
export function hasActivePlan(account: Pick<Account, 'planUntilMs'>, nowMs: number): boolean {
  return account.planUntilMs === null || nowMs <= account.planUntilMs;
}

/** @throws ApiError plan_required when the plan has expired (SPEC, "Authentication") */
export function requireActivePlan(account: Pick<Account, 'planUntilMs'>, nowMs: number): void {
  if (!hasActivePlan(account, nowMs)) throw new ApiError('plan_required');
}

// One @ with text on both sides, no blanks or control characters. A stricter pattern would not show
// whether the address receives mail. RFC 5321 limits the length.
const emailPattern = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** Returns the stored form of an e-mail address, or null when the text cannot be one. */
export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && emailPattern.test(email) ? email : null;
}

// ISO 8601, extended format: minutes and seconds are optional, the last part may have a fraction, a
// blank may replace the T (RFC 3339). The UTC offset is required.
const instantPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2})(?::(\d{2})(?::(\d{2}))?)?(?:[.,](\d+))?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)$/;

/**
 * Parses the expiry of a plan: `2027-01-31` (the end of that day in UTC), an ISO 8601 instant, or
 * `never`.
 *
 * @returns milliseconds since the epoch, null for `never`, undefined when the text is none of these
 */
export function parsePlanEnd(text: string): number | null | undefined {
  if (text === 'never') return null;
  const midnightMs = parseDay(text);
  if (midnightMs !== undefined) return midnightMs + 86_399_999;
  return parseInstant(text);
}

/** Returns the start of a day such as `2027-01-31` in UTC, or undefined when it does not exist. */
function parseDay(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse turns 2027-02-30 into 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : undefined;
}

function parseInstant(text: string): number | undefined {
  const [, day = '', hour, minute, second, digits = '', offsetHour = '+00', offsetMinute = '00'] =
    instantPattern.exec(text) ?? [];
  if (hour === undefined || parseDay(day) === undefined) return undefined;
  const fraction = Number(digits.slice(0, 9).padEnd(9, '0'));
  // 24:00 is the end of the day and has no fraction (ISO 8601-1, Amendment 1).
  if (hour === '24' && fraction > 0) return undefined;
  const time = `${hour}:${minute ?? '00'}:${second ?? '00'}${offsetHour}:${offsetMinute}`;
  const ms = Date.parse(`${day}T${time}`);
  const lastPartMs = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000;
  return Number.isNaN(ms) ? undefined : ms + Math.floor((fraction * lastPartMs) / 1e9);
}
