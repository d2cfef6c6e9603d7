import type { AccountReason, Sentences } from '../../../core/reasons.ts';
import { accountSentences as commonAccountSentences } from '../../../sentences/accounts.ts';

export const accountSentences: Sentences<AccountReason> = {
  ...commonAccountSentences,
  'no plan end': () => 'This is not a date. Write it as 2027-01-31, or leave it empty.',
  'no recipient of the codes': () =>
    'The account that was to get the codes does not exist any more. Choose another one.',
};
