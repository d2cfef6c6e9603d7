import { type Reason, type Sentences, sentenceOf } from '../../core/reasons.ts';
import { apiSentences } from '../../http/sentences/sentences.ts';
import { printSentences } from './print.ts';

/** The sentences of commands. Those of the API name the same settings. */
const cliSentences: Sentences<Reason> = { ...apiSentences, ...printSentences };

/** Says a reason in the words of commands. */
export function cliSentence(reason: Reason): string {
  return sentenceOf(cliSentences, reason);
}
