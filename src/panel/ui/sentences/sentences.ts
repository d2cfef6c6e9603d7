import { ApiError, type Refused } from '../../../core/errors.ts';
import { type Reason, type Sentences, sentenceOf } from '../../../core/reasons.ts';
import type { Said } from '../../../languages/texts.ts';
import { accessSentences } from '../../../sentences/access.ts';
import { accountSentences } from '../../../sentences/accounts.ts';
import { captionSentences } from '../../../sentences/captions.ts';
import { savedDesignSentences } from '../../../sentences/codes.ts';
import { logoSentences } from '../../../sentences/logos.ts';
import { ruleSentences } from '../../../sentences/safety.ts';
import { fileSentences, noticedSentences } from '../../../sentences/tables.ts';
import { typeset } from '../../../sentences/typography.ts';
import { InvalidInput } from '../../request/invalid-input.ts';
import {
  batchSentences,
  bulkEditSentences,
  destinationSentences,
  labelSentences,
  linkSentences,
  listSentences,
  missingSentences,
  rowSentences,
} from './codes.ts';
import { domainSentences } from './domains.ts';
import { printSentences } from './print.ts';
import { designSentences } from './readability.ts';
import { scheduleSentences } from './schedule.ts';

const panelSentences: Sentences<Reason> = {
  ...accessSentences,
  ...accountSentences,
  'no plan end': () => 'This is not a date. Write it as 2027-01-31, or leave it empty.',
  'no recipient of the codes': () =>
    'The account that was to get the codes does not exist any more. Choose another one.',
  ...batchSentences,
  ...bulkEditSentences((reason) => panelSentence(reason)),
  ...designSentences,
  ...destinationSentences,
  ...domainSentences,
  ...fileSentences(typeset),
  ...labelSentences,
  ...linkSentences,
  ...listSentences,
  ...captionSentences,
  ...logoSentences,
  ...missingSentences,
  ...noticedSentences((reason) => panelSentence(reason)),
  ...scheduleSentences,
  ...printSentences,
  ...rowSentences,
  ...ruleSentences('an address'),
  ...savedDesignSentences(typeset),
};

/** Returns what an error says to account holders. */
export function messageOf(error: ApiError | InvalidInput | Refused): Said {
  if (error instanceof InvalidInput) return error.said;
  // The account may also never have had a plan.
  if (error instanceof ApiError && error.code === 'plan_required')
    return panelSentence({ kind: 'plan expired' });
  return error.reason === null ? error.message : panelSentence(error.reason);
}

/** Says a reason in the words of the panel. */
export function panelSentence(reason: Reason): string {
  return sentenceOf(panelSentences, reason);
}
