import type { FileNotice } from '../../../core/codes/tables/file-reasons.ts';
import { ApiError, type Refused } from '../../../core/errors.ts';
import {
  type PanelReason,
  type Reason,
  type Sentences,
  sentenceOf,
} from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import type { Said } from '../../../languages/texts.ts';
import { accessSentences } from '../../../sentences/access.ts';
import { accountSentences } from '../../../sentences/accounts.ts';
import { captionSentences } from '../../../sentences/captions.ts';
import { savedDesignSentences } from '../../../sentences/codes.ts';
import { logoSentences } from '../../../sentences/logos.ts';
import { ruleSentences } from '../../../sentences/safety.ts';
import { fileSentences, noticedSentences, noticeSentences } from '../../../sentences/tables.ts';
import { InvalidInput } from '../../request/invalid-input.ts';
import {
  batchSentences,
  bulkEditSentences,
  destinationSentences,
  labelSentences,
  listSentences,
  missingSentences,
  pathSentences,
  rowSentences,
} from './codes.ts';
import { domainSentences } from './domains.ts';
import { printSentences } from './print.ts';
import { designSentences } from './readability.ts';
import { scheduleSentences } from './schedule.ts';

/** Creates the sentences of the panel in a language. */
function createSentences(t: Texts): Sentences<PanelReason> {
  const say = (reason: Reason) => panelSentence(reason, t);
  return {
    ...accessSentences(t),
    ...accountSentences(t),
    ...batchSentences(t),
    ...bulkEditSentences(t, say),
    ...designSentences(t),
    ...destinationSentences(t),
    ...domainSentences(t),
    ...fileSentences(t),
    ...labelSentences(t),
    ...pathSentences(t),
    ...listSentences(t),
    ...captionSentences(t),
    ...logoSentences(t),
    ...missingSentences(t),
    ...noticedSentences(t, say, (notice) => panelNotice(notice, t)),
    ...scheduleSentences(t),
    ...printSentences(t),
    ...rowSentences(t),
    ...ruleSentences(t),
    ...savedDesignSentences(t),
  };
}

/** Those of the languages that somebody asked for. */
const created = new Map<Texts, Sentences<PanelReason>>();

/** Returns what an error says to account holders. */
export function messageOf(error: ApiError | InvalidInput | Refused): Said {
  if (error instanceof InvalidInput) return error.said;
  // The account may also never have had a plan.
  if (error instanceof ApiError && error.code === 'plan_required')
    return (t) => panelSentence({ kind: 'plan expired' }, t);
  const { reason, message } = error;
  return reason === null ? message : (t) => panelSentence(reason, t);
}

/** Says a reason in the words of the panel. */
export function panelSentence(reason: Reason, t: Texts): string {
  // The cast is safe: nobody imports links in the panel.
  return sentenceOf(created.getOrInsertComputed(t, createSentences), reason as PanelReason);
}

/** Says what was recognized in a file, or is not used of it, in the words of the panel. */
export function panelNotice(notice: FileNotice, t: Texts): string {
  return sentenceOf(noticeSentences(t), notice);
}
