import { type Reason, type Sentences, sentenceOf } from '../../core/reasons.ts';
import { apiSentences } from '../../http/sentences/sentences.ts';
import { printSentences } from './print.ts';
import {
  bulkEditSentences,
  labelSentences,
  linkSentences,
  pathSentences,
  rowSentences,
} from './tables.ts';

/** The sentences of commands. Those of the API name the same settings. */
const cliSentences: Sentences<Reason> = {
  ...bulkEditSentences((reason) => cliSentence(reason)),
  ...apiSentences,
  ...labelSentences,
  ...linkSentences,
  ...pathSentences,
  ...printSentences,
  ...rowSentences,
  'no such code': () => 'There is no such code.',
};

/** Says a reason in the words of commands. */
export function cliSentence(reason: Reason): string {
  return sentenceOf(cliSentences, reason);
}
