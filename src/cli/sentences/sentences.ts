import { type Reason, type Sentences, sentenceOf } from '../../core/reasons.ts';
import { apiSentences } from '../../http/sentences/sentences.ts';
import { accountSentences } from '../../sentences/accounts.ts';
import { captionSentences } from '../../sentences/captions.ts';
import { savedDesignSentences } from '../../sentences/codes.ts';
import { logoSentences } from '../../sentences/logos.ts';
import { ruleSentences } from '../../sentences/safety.ts';
import { fileSentences, noticedSentences } from '../../sentences/tables.ts';
import { typewriter } from '../../sentences/typography.ts';
import { domainSentences } from './domains.ts';
import { printSentences } from './print.ts';
import { scheduleSentences } from './schedule.ts';
import {
  batchSentences,
  bulkEditSentences,
  labelSentences,
  linkSentences,
  listSentences,
  pathSentences,
  rowSentences,
} from './tables.ts';

/** The sentences of commands. Those of the API name the same settings. */
const cliSentences: Sentences<Reason> = {
  ...accountSentences,
  ...batchSentences,
  ...bulkEditSentences((reason) => cliSentence(reason)),
  ...apiSentences,
  ...domainSentences,
  ...fileSentences(typewriter),
  ...labelSentences,
  ...linkSentences,
  ...listSentences,
  ...captionSentences,
  ...logoSentences,
  ...noticedSentences((reason) => cliSentence(reason)),
  ...pathSentences,
  ...scheduleSentences,
  ...printSentences,
  ...rowSentences,
  ...ruleSentences('a URL'),
  ...savedDesignSentences(typewriter),
  'no such code': () => 'There is no such code.',
};

/** Says why something of what was deleted may be left, see `CommandStorage.eraseFreeSpace`. Null if nothing is. */
export function erasureSentence(reason: string | null): string | null {
  if (reason === null) return null;
  return (
    `It is deleted, but copies of its texts may be left in the free space of the database: ${reason}. ` +
    'To remove them, stop the server and run "sqlite3 FILE VACUUM" on waymark.db.'
  );
}

/** Says a reason in the words of commands. */
export function cliSentence(reason: Reason): string {
  return sentenceOf(cliSentences, reason);
}
