import { ApiError, Refused } from '../errors.ts';

/**
 * An account, which owns codes.
 * It signs in to the panel, and uses the API with its key while its plan is active.
 */
export interface Account {
  readonly id: number;
  /** Lower case, unique. */
  readonly email: string;
  /** An operator also manages accounts, rules and lists. */
  readonly isOperator: boolean;
  /** Expiry of the paid plan in milliseconds since the epoch; null if it does not expire. */
  readonly planUntilMs: number | null;
  /** Name in the IANA database, such as `Europe/Zurich`; null until one is set, which means UTC. */
  readonly timeZone: string | null;
  /** Tag of the language that the person chose for the panel; null for that of the browser. */
  readonly language: string | null;
  /** Name for visitors; null until it is set. */
  readonly businessName: string | null;
  readonly createdAtMs: number;
}

/**
 * Stands for the e-mail of the account that owns the codes of deleted accounts.
 * It is no address, so that nobody can sign in with it or take it.
 */
export const ownerlessEmail = 'nobody';

/** An account with its number of codes. */
export type ListedAccount = Account & { readonly qrs: number; readonly hasSecondFactor: boolean };

/** Returns whether the plan is active at an instant. The last millisecond belongs to it. */
export function hasActivePlan(account: Pick<Account, 'planUntilMs'>, nowMs: number): boolean {
  return account.planUntilMs === null || nowMs <= account.planUntilMs;
}

/** Returns the end of the plan of an account that is created without one: just before it began. */
export function noPlanSince(createdAtMs: number): number {
  return createdAtMs - 1;
}

/** Returns whether an account was created without a plan, and got none since. */
function neverHadPlan({ planUntilMs, createdAtMs }: Account): boolean {
  return planUntilMs === noPlanSince(createdAtMs);
}

/** State of a plan. `none`: the account never had one. */
export type PlanState = 'active' | 'none' | 'expired';

/** Returns the state of the plan of an account at an instant. */
export function planStateOf(account: Account, nowMs: number): PlanState {
  if (hasActivePlan(account, nowMs)) return 'active';
  return neverHadPlan(account) ? 'none' : 'expired';
}

/** @throws ApiError plan_required when the plan has expired (SPEC, "Authentication") */
export function requireActivePlan(account: Pick<Account, 'planUntilMs'>, nowMs: number): void {
  if (!hasActivePlan(account, nowMs)) throw new ApiError('plan_required');
}

/** Returns the id of an account in a path or a form, or null when the text is none. */
export function parseAccountId(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Parses the last day of a plan from a form; empty if it does not expire.
 *
 * @throws Refused
 */
export function requirePlanEnd(text: string): number | null {
  const planUntilMs = parsePlanEnd(text.trim() || 'never');
  if (planUntilMs !== undefined) return planUntilMs;
  throw new Refused({ kind: 'no plan end' });
}

/**
 * Parses the expiry of a plan: `2027-01-31` (the end of that day in UTC), a date and time with UTC
 * offset (RFC 3339; seconds are optional), or `never`.
 *
 * @returns milliseconds since the epoch, null for `never`, undefined when the text is none of these
 */
export function parsePlanEnd(text: string): number | null | undefined {
  if (text === 'never') return null;
  const [, day = '', time] = planEndPattern.exec(text) ?? [];
  const midnightMs = Date.parse(`${day}T00:00:00Z`);
  // Date.parse turns 2027-02-30 into 2 March.
  if (Number.isNaN(midnightMs) || !new Date(midnightMs).toISOString().startsWith(day))
    return undefined;
  if (time === undefined) return midnightMs + 86_399_999;
  const ms = Date.parse(`${day}T${time}`);
  return Number.isNaN(ms) ? undefined : ms;
}

const planEndPattern =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})))?$/;
