import type { FileNotice } from '../../core/codes/tables/file-reasons.ts';
import { type Reason, type Sentences, sentenceOf } from '../../core/reasons.ts';
import { apiSentences } from '../../http/sentences/sentences.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { textsOf } from '../../languages/texts.ts';
import { accountSentences } from '../../sentences/accounts.ts';
import { captionSentences } from '../../sentences/captions.ts';
import { savedDesignSentences } from '../../sentences/codes.ts';
import { logoSentences } from '../../sentences/logos.ts';
import { ruleSentences } from '../../sentences/safety.ts';
import { straight } from '../../sentences/straight.ts';
import { fileSentences, noticedSentences, noticeSentences } from '../../sentences/tables.ts';
import { domainSentences } from './domains.ts';
import { linkFileSentences } from './link-files.ts';
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
const cliSentences = (t: Texts): Sentences<Reason> => ({
  ...accountSentences(t),
  'no plan end': () => 'This is not a date. Write it as 2027-01-31, or "never".',
  'no recipient of the codes': () =>
    'The account to give the codes to does not exist, or is the one to delete. Name another one.',
  ...batchSentences(t),
  ...bulkEditSentences(t, (reason) => cliSentence(reason)),
  ...apiSentences(t),
  ...domainSentences(t),
  ...straight(fileSentences(t)),
  ...linkFileSentences,
  ...labelSentences(t),
  ...linkSentences,
  ...listSentences(t),
  ...captionSentences(t),
  ...logoSentences(t),
  ...noticedSentences(t, (reason) => cliSentence(reason), cliNotice),
  ...pathSentences(t),
  ...scheduleSentences,
  ...printSentences(t),
  ...rowSentences(t),
  ...straight(ruleSentences(t)),
  'rule for a pattern': ({ text }) =>
    `${JSON.stringify(text)} is a pattern. A star is possible only in front, as in *.zip. A domain stands for its subdomains too, and a URL that ends in a slash for everything below it: write evil.example or evil.example/shop/.`,
  'rule for no domain or URL': ({ text }) =>
    `${JSON.stringify(text)} is neither a domain nor a URL. Write evil.example or https://evil.example/shop/.`,
  ...straight(savedDesignSentences(t)),
  'no such code': () => 'There is no such code.',
});

/** Made when one is needed, so that a command that says none starts faster. */
let sentences: Sentences<Reason> | undefined;

/** Says why something of what was deleted may be left, see `CommandStorage.eraseFreeSpace`. Null if nothing is. */
export function erasureSentence(reason: string | null): string | null {
  if (reason === null) return null;
  return (
    `It is deleted, but copies of its texts may be left in the free space of the database: ${reason}. ` +
    'To remove them, stop the server and run "sqlite3 FILE VACUUM" on waymark.db.'
  );
}

/** Says what was recognized in a file, or is not used of it, in the words of commands. */
export function cliNotice(notice: FileNotice): string {
  return sentenceOf(straight(noticeSentences(textsOf('en'))), notice);
}

/** Says a reason in the words of commands. */
export function cliSentence(reason: Reason): string {
  sentences ??= cliSentences(textsOf('en'));
  return sentenceOf(sentences, reason);
}
