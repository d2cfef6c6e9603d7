import { describe, expect, test } from 'bun:test';
import { createAccess } from '../../src/core/accounts/access.ts';
import type { Account } from '../../src/core/accounts/account.ts';
import { hashKey } from '../../src/core/accounts/api-key.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { RateDecision } from '../../src/core/ports.ts';

const key = `wmk_${'0'.repeat(40)}`;
const now = 1_000_000;
const account: Account = {
  id: 7,
  email: 'a@example.com',
  isOperator: false,
  planUntilMs: null,
  createdAtMs: 0,
};

/** Asks to be let in. @returns what came of it, and everything that was asked on the way */
async function admitted(
  header: string | null,
  { planUntilMs = null as number | null, fits = true } = {},
) {
  const asked: string[] = [];
  const rates: RateDecision[] = [];
  const decision = { admitted: fits, limit: 60, remaining: fits ? 9 : 0, resetSeconds: 17 };
  const access = createAccess({
    clock: { nowMs: () => now, monotonicMs: () => 0 },
    keys: {
      findAccount: async (hash) => {
        asked.push(`key ${hash}`);
        return hash === hashKey(key) ? { ...account, planUntilMs } : null;
      },
      recordUse: (accountId, atMs) => asked.push(`touch ${accountId} at ${atMs}`),
      replace: async () => {},
      revoke: async () => false,
      findByAccount: async () => null,
    },
    rate: {
      admit: async (name) => {
        asked.push(`rate ${name}`);
        return decision;
      },
      used: async () => 0,
    },
  });
  const outcome = await access
    .admit(header, (rate) => rates.push(rate))
    .catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return { code: error.code, headers: error.headers };
    });
  return { outcome, asked, rates, decision };
}

const found = [`key ${hashKey(key)}`, `rate ${hashKey(key)}`];
const touched = `touch 7 at ${now}`;

describe('key, then rate, then plan', () => {
  test('all in order: the account, and the key by its hash alone', async () => {
    const { outcome, asked, rates, decision } = await admitted(`Bearer ${key}`);
    expect(outcome).toEqual({ account, keyHash: hashKey(key) });
    expect(asked).toEqual([...found, touched]);
    expect(rates).toEqual([decision]);
  });

  test.each([
    ['no header', null, []],
    ['no key', 'Bearer hello', []],
    ['an unknown key', `Bearer wmk_${'1'.repeat(40)}`, [`key ${hashKey(`wmk_${'1'.repeat(40)}`)}`]],
  ])('%s: 401, and no rate is counted', async (_, header, asked) => {
    const answer = await admitted(header, { fits: false, planUntilMs: 1 });
    expect(answer.outcome).toEqual({
      code: 'unauthorized',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    expect([answer.asked, answer.rates]).toEqual([asked, []]);
  });

  test('too many requests: 429 before the plan, and the rate is told', async () => {
    const answer = await admitted(`Bearer ${key}`, { fits: false, planUntilMs: 1 });
    expect(answer.outcome).toEqual({ code: 'rate_limited', headers: { 'Retry-After': '17' } });
    expect(answer.asked).toEqual(found);
    expect(answer.rates).toEqual([answer.decision]);
  });

  test('an ended plan: 402, and the request was counted', async () => {
    const answer = await admitted(`Bearer ${key}`, { planUntilMs: now - 1 });
    expect(answer.outcome).toEqual({ code: 'plan_required', headers: {} });
    expect(answer.asked).toEqual([...found, touched]);
  });

  test('the last millisecond of a plan still belongs to it', async () => {
    const { outcome } = await admitted(`Bearer ${key}`, { planUntilMs: now });
    expect(outcome).toMatchObject({ account: { id: 7 } });
  });
});
