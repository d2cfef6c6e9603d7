import type { AccessReason, AuthorizationProblem, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { formatCount } from '../lib/numbers.ts';

const authorizationProblems: Readonly<Record<AuthorizationProblem, string>> = {
  'key in the URL': 'The API key is in the URL, which is logged in many places.',
  'Bearer twice': 'The header has "Bearer" twice.',
  comma: 'The header has a comma, or was sent twice.',
  'no Bearer': 'The header must begin with "Bearer" and a space.',
  'quotation marks': 'The API key is in quotation marks or brackets.',
};

/** Why a request of an API key is not admitted, or no key is issued. */
export const accessSentences = (_: Texts): Sentences<AccessReason> => ({
  'wrong authorization': ({ problem }) =>
    `${authorizationProblems[problem]} Send "Authorization: Bearer <API_KEY>".`,
  'rate limited': ({ limit, seconds }) =>
    `More than ${limit} requests in a minute. Wait ${formatCount(seconds, 'second')}.`,
  'too many keys': ({ count, seconds }) =>
    `This account got ${formatCount(count, 'API key')} in the last hour, which is the most. The next one is possible in ${formatCount(Math.ceil(seconds / 60), 'minute')}. The current key is unchanged.`,
  'account deleted': () => 'This account has been deleted.',
});
