import type { DomainReason, Sentences } from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { formatCount } from '../../../lib/numbers.ts';
import { domainSentences as common } from '../../../sentences/domains.ts';

/** Why a domain cannot be used or changed. */
export const domainSentences = (t: Texts): Sentences<DomainReason> => ({
  ...common(t),
  'no domain': ({ text }) =>
    `${text} is no domain. Write it without a path, such as go.example.com.`,
  'domain exists': ({ url }) => `${url} is there already. Open it in the list to change it.`,
  'no such domain': ({ url }) => `There is no domain ${url} any more.`,
  'printed domain': ({ url, codes }) =>
    `${formatCount(codes, 'code')} printed with ${url} would lead nowhere once it does not lead here. Nothing was changed.`,
});
