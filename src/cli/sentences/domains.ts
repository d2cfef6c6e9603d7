import type { DomainReason, Sentences } from '../../core/reasons.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { formatCount } from '../../lib/numbers.ts';
import { domainSentences as common } from '../../sentences/domains.ts';

/** Why a domain cannot be used or changed. */
export const domainSentences = (t: Texts): Sentences<DomainReason> => ({
  ...common(t),
  'no domain': ({ text }) =>
    `${text} is no domain. Write it with its scheme and without a path, such as https://go.example.com.`,
  'domain exists': ({ url }) => `${url} is there already. "waymark domain set" changes it.`,
  'no such domain': ({ url }) => `There is no domain ${url}. "waymark domain list" shows them.`,
  'printed domain': ({ url, codes }) =>
    `${formatCount(codes, 'code')} printed with ${url} would lead nowhere once it does not lead here. ` +
    'Nothing was changed. Add --force to remove it all the same.',
});
