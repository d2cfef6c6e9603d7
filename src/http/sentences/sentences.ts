import { type ApiReason, type Sentences, sentenceOf } from '../../core/reasons.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { textsOf } from '../../languages/texts.ts';
import { accessSentences } from '../../sentences/access.ts';
import { straight } from '../../sentences/straight.ts';
import { destinationSentences, missingSentences } from './destinations.ts';
import { designSentences } from './readability.ts';

/** The sentences of the API, for the people who write programs. */
export const apiSentences = (t: Texts): Sentences<ApiReason> => ({
  ...straight(accessSentences(t)),
  ...designSentences,
  ...destinationSentences(t),
  ...missingSentences(t),
});

/** Made when one is needed, so that a command that says none starts faster. */
let sentences: Sentences<ApiReason> | undefined;

/** Says a reason in the words of the API. */
export function apiSentence(reason: ApiReason): string {
  sentences ??= apiSentences(textsOf('en'));
  return sentenceOf(sentences, reason);
}
