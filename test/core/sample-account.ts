import type { Account } from '../../src/core/accounts/account.ts';

export const sampleAccount: Account = {
  id: 7,
  email: 'anna@example.org',
  isOperator: false,
  planUntilMs: null,
  timeZone: null,
  language: null,
  businessName: null,
  createdAtMs: 0,
};
