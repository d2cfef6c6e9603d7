import type { ApiReason, Sentences } from '../../core/reasons.ts';
import { accessSentences } from '../../sentences/access.ts';
import { destinationSentences, missingSentences } from './destinations.ts';
import { designSentences } from './readability.ts';

/** The sentences of the API, for the people who write programs. */
export const apiSentences: Sentences<ApiReason> = {
  ...accessSentences,
  ...designSentences,
  ...destinationSentences,
  ...missingSentences,
};
