import type { DomainProblem } from '../core/domains/checks.ts';
import { type DomainReason, type Sentences, sentenceOf } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

const problemSentences = ({ domainProblems: t }: Texts): Sentences<DomainProblem> => ({
  'no address': t.noAddress,
  'no answer': t.noAnswer,
  'slow answer': t.slowAnswer,
  'bad certificate': t.badCertificate,
  'other server': t.otherServer,
});

/** Says why an address does not lead to this server. */
export function domainProblemSentence(problem: DomainProblem, t: Texts): string {
  return sentenceOf(problemSentences(t), problem);
}

/** Why a domain cannot be used. */
export const domainSentences = ({ domainReasons: t }: Texts) =>
  ({
    'no domain of the account': t.notOfAccount,
    'main domain': t.mainDomain,
    'domain of the settings': t.ofSettings,
  }) satisfies Partial<Sentences<DomainReason>>;
