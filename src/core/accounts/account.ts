import { ApiError } from '../errors.ts';

/** Someone who owns codes. Signs in to the panel; their key opens the API while the plan lasts. */
export interface Account {
  readonly id: number;
  /** Lower case, unique. */
  readonly email: string;
  /** An operator also manages accounts and the server's own lists. */
  readonly operator: boolean;
  /** End of the paid plan in milliseconds since the epoch; null for a plan without end. */
  readonly planUntilMs: number | null;
  readonly createdAtMs: number;
}

/** Whether the plan is paid for at an instant; the last millisecond still belongs to it. */
export function hasActivePlan(account: Pick<Account, 'planUntilMs'>, nowMs: number): boolean {
  return account.planUntilMs === null || nowMs <= account.planUntilMs;
}

/** @throws ApiError plan_required when the plan has ended (SPEC, "Authentication") */
export function requireActivePlan(account: Pick<Account, 'planUntilMs'>, nowMs: number): void {
  if (!hasActivePlan(account, nowMs)) throw new ApiError('plan_required');
}

// One @, something on both sides, no blanks or control characters. Whether the address receives
// mail cannot be told from its spelling, so nothing stricter is asked (RFC 5321 limits the length).
const emailPattern = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** The stored spelling of an e-mail address, or null when it cannot be one. */
export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && emailPattern.test(email) ? email : null;
}

// ISO 8601 in its extended form, which RFC 3339 takes its own from: minutes and seconds may be left out, the
// last part may have a fraction, and a blank may stand for the T. With its offset from UTC, or it would mean
// another instant on another machine.
const instantPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2})(?::(\d{2})(?::(\d{2}))?)?(?:[.,](\d+))?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)$/;

/**
 * The instant at which a plan ends, from what a person wrote: `2027-01-31` lasts through that day in
 * UTC, an ISO 8601 instant is itself but for what is finer than a millisecond, `never` is null.
 *
 * @returns undefined when the text is none of these
 */
export function parsePlanEnd(text: string): number | null | undefined {
  if (text === 'never') return null;
  const midnightMs = parseDay(text);
  if (midnightMs !== undefined) return midnightMs + 86_399_999;
  return parseInstant(text);
}

/** Where a day such as `2027-01-31` begins in UTC; undefined when there is no such day. */
function parseDay(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse rolls 2027-02-30 over into March; whoever wrote it meant something else.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : undefined;
}

function parseInstant(text: string): number | undefined {
  const [, day = '', hour, minute, second, digits = '', offsetHour = '+00', offsetMinute = '00'] =
    instantPattern.exec(text) ?? [];
  if (hour === undefined || parseDay(day) === undefined) return undefined;
  const fraction = Number(digits.slice(0, 9).padEnd(9, '0'));
  // 24:00 is the end of the day, and nothing comes after it (ISO 8601-1, Amendment 1).
  if (hour === '24' && fraction > 0) return undefined;
  const time = `${hour}:${minute ?? '00'}:${second ?? '00'}${offsetHour}:${offsetMinute}`;
  const ms = Date.parse(`${day}T${time}`);
  const lastPartMs = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000;
  return Number.isNaN(ms) ? undefined : ms + Math.floor((fraction * lastPartMs) / 1e9);
}
