import { type Reason, type Sentences, sentenceOf } from '../../core/reasons.ts';
import { accountSentences } from '../../http/sentences/accounts.ts';
import { apiSentences } from '../../http/sentences/sentences.ts';
import { plannedSentences } from './planned.ts';
import { printSentences } from './print.ts';
import {
  batchSentences,
  bulkEditSentences,
  fileSentences,
  labelSentences,
  linkSentences,
  listSentences,
  pathSentences,
  rowSentences,
  savedDesignSentences,
} from './tables.ts';

/** The sentences of commands. Those of the API name the same settings. */
const cliSentences: Sentences<Reason> = {
  ...accountSentences,
  ...batchSentences,
  ...bulkEditSentences((reason) => cliSentence(reason)),
  ...apiSentences,
  ...fileSentences,
  ...labelSentences,
  ...linkSentences,
  ...listSentences,
  ...pathSentences,
  ...plannedSentences,
  ...printSentences,
  ...rowSentences,
  ...savedDesignSentences,
  'no such code': () => 'There is no such code.',
};

/** Says a reason in the words of commands. */
export function cliSentence(reason: Reason): string {
  return sentenceOf(cliSentences, reason);
}
