import type { DomainProblem } from '../core/domains/checks.ts';
import { type DomainReason, type Sentences, sentenceOf } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

const problemSentences: Sentences<DomainProblem> = {
  'no address': ({ hostname, cause }) => `${hostname} has no address in the DNS (${cause}).`,
  'no answer': ({ host, cause }) => `Nothing answers at ${host} (${cause}).`,
  'slow answer': ({ host, seconds }) => `${host} does not answer within ${seconds} seconds.`,
  'bad certificate': ({ host, cause }) => `The TLS certificate of ${host} is not valid (${cause}).`,
  'other server': ({ host }) =>
    `Another server answers at ${host}, or the proxy there does not forward it to this server.`,
};

/** Says why an address does not lead to this server. */
export function domainProblemSentence(problem: DomainProblem): string {
  return sentenceOf(problemSentences, problem);
}

/** Why a domain cannot be used. */
export const domainSentences = (_: Texts) =>
  ({
    'no domain of the account': ({ url }) => `The account cannot use the domain ${url}.`,
    'no domain': ({ text }) =>
      `${text} is no domain. Write it with its scheme and without a path, such as https://go.example.com.`,
    'main domain': ({ url }) =>
      `${url} is the main domain, or another name of it, which are settings.`,
    'domain of the settings': ({ url }) =>
      `${url} is in WAYMARK_SHORT_URL_ALIASES. Take it out there, and restart the server first.`,
  }) satisfies Partial<Sentences<DomainReason>>;
