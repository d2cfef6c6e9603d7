import { expect, test } from 'bun:test';
import { createOperators } from '../../src/core/accounts/operators.ts';

const unused = () => Promise.reject(new Error('of no use here'));

test('totals are of now, but for the scans, which are added up once a minute', async () => {
  let nowMs = 5_000;
  let held = { accounts: 1, qrs: 2, scans: 3 };
  const { totals } = createOperators({
    accounts: { create: unused, changePlan: unused },
    directory: { find: unused, search: unused },
    totals: {
      counts: async () => ({ accounts: held.accounts, qrs: held.qrs }),
      scans: async () => held.scans,
    },
    clock: { nowMs: () => 0, monotonicMs: () => nowMs },
  });
  expect(await totals()).toEqual({ accounts: 1, qrs: 2, scans: 3 });
  held = { accounts: 10, qrs: 20, scans: 30 };
  nowMs += 59_999;
  expect(await totals()).toEqual({ accounts: 10, qrs: 20, scans: 3 });
  nowMs += 2;
  expect(await totals()).toEqual(held);
});
