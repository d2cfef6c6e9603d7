import type { DomainReason, Sentences } from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { domainSentences as common } from '../../../sentences/domains.ts';

/** Why a domain cannot be used or changed. */
export const domainSentences = (t: Texts): Sentences<DomainReason> => ({
  ...common(t),
  'no domain': t.domains.isNoDomain,
  'domain exists': t.domains.existsAlready,
  'no such domain': t.domains.isGone,
  'printed domain': t.domains.printedCodesLost,
});
