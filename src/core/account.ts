import { ApiError } from './errors.ts';

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

// With its offset from UTC, or it would mean another instant on another machine.
const timeOfDay = /^T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The instant at which a plan ends, from what a person wrote: `2027-01-31` lasts through that day in
 * UTC, an ISO 8601 instant is itself, `never` is null.
 *
 * @returns undefined when the text is none of these
 */
export function parsePlanEnd(text: string): number | null | undefined {
  if (text === 'never') return null;
  const day = text.slice(0, 10);
  const midnightMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(midnightMs)) return undefined;
  // Date.parse rolls 2027-02-30 over into March; whoever wrote it meant something else.
  if (new Date(midnightMs).toISOString().slice(0, 10) !== day) return undefined;
  if (text === day) return midnightMs + 86_399_999;
  const ms = timeOfDay.test(text.slice(day.length)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
