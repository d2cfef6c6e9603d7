import type { AccessReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** What a request with an API key has to have. */
const header = 'Authorization: Bearer <API_KEY>';

/** Why a request of an API key is not admitted, or no key is issued. */
export const accessSentences = ({ accessReasons: t }: Texts): Sentences<AccessReason> => ({
  'wrong authorization': ({ problem }) =>
    ({
      'key in the URL': t.keyInUrl,
      'Bearer twice': t.bearerTwice,
      comma: t.commaInHeader,
      'no Bearer': t.withoutBearer,
      'quotation marks': t.keyInQuotationMarks,
    })[problem]({ header }),
  'rate limited': ({ limit, seconds }) => t.tooManyRequests({ limit: String(limit), seconds }),
  'too many keys': ({ count, seconds }) =>
    `${t.tooManyKeys({ keys: count })} ${t.nextKeyIn({ minutes: Math.ceil(seconds / 60) })}`,
  'account deleted': () => t.accountDeleted,
});
