import type { RuleReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { escaped } from './typography.ts';

/** Why something cannot be the target of an allow or block rule. */
export const ruleSentences = ({ ruleReasons: t }: Texts): Sentences<RuleReason> => ({
  'rule for a network': ({ text }) => t.network({ text: escaped(text) }),
  'rule for a pattern': ({ text }) => t.pattern({ text: escaped(text) }),
  'rule for a top-level domain': ({ text, topLevel }) =>
    t.topLevelDomain({ text: escaped(text), topLevel }),
  'rule for no domain or URL': ({ text }) => t.noDomainOrAddress({ text: escaped(text) }),
});
