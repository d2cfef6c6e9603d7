import { labelFields, textLabels } from '../core/codes/fields.ts';
import type {
  BulkEditReason,
  DestinationReason,
  LabelReason,
  ListReason,
  MissingReason,
  Reason,
  SavedDesignReason,
  Sentences,
} from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { formatCount, formatList } from '../lib/numbers.ts';

/** Returns the labels of a code as a phrase: "Name, note and folder". */
export function labelPhrase(): string {
  const labels = textLabels.map((name) => labelFields[name].label);
  return formatList(labels.map((label, at) => (at === 0 ? label : label.toLowerCase())));
}

/** Why a name, a note or another label cannot be used. */
export const labelSentences = (_: Texts) =>
  ({
    'several lines in a label': ({ noun }) =>
      `A ${noun} is one line of text, without tabs or control characters.`,
    'label too long': ({ noun, maxLength }) =>
      `The ${noun} is too long: at most ${formatCount(maxLength, 'character')} are possible.`,
    'neither on nor off': () => 'Write on or off.',
  }) satisfies Partial<Sentences<LabelReason>>;

/** Why a code cannot lead to a destination. */
export const destinationSentences = (_: Texts) =>
  ({
    'destination cannot be checked': () =>
      'The destination cannot be checked right now; nothing was changed. Try again shortly.',
  }) satisfies Partial<Sentences<DestinationReason>>;

/** What does not exist. */
export const missingSentences = (_: Texts) =>
  ({
    'no image of an imported link': () =>
      'Waymark has no image of an imported link. It was printed by another service.',
  }) satisfies Partial<Sentences<MissingReason>>;

/** Creates the sentences on why a saved design cannot be found or named. */
export function savedDesignSentences(_: Texts): Sentences<SavedDesignReason> {
  return {
    'no such saved design': ({ name }) => `There is no saved design named “${name}”.`,
    'saved design exists': ({ name }) => `Another saved design is named “${name}”.`,
    'saved design without a name': () => 'Enter a name for the design.',
  };
}

/** Why a list cannot be shown, or a folder be named. */
export const listSentences = (_: Texts) =>
  ({
    'folder without a name': () => 'Enter a name for the folder.',
  }) satisfies Partial<Sentences<ListReason>>;

/**
 * Creates the sentences on why a bulk edit is not made, or does not change a code.
 *
 * @param say the sentence of another reason
 */
export function bulkEditSentences(_: Texts, say: (reason: Reason) => string) {
  return {
    'no bulk edit to undo': () => 'There is no bulk edit to undo.',
    'earlier destination rejected': ({ code, reason }) =>
      `The earlier destination of ${code} is rejected now, so nothing was undone. ${say(reason)}`,
    'blocked by the operator': () => 'The operator of this server has blocked it.',
    'nothing left of the destination': () => 'Nothing would be left of the destination.',
    'changed meanwhile': () => 'Somebody changed it meanwhile.',
    'bulk edit stopped': () => 'Somebody stopped it.',
    'editor without a right': () =>
      'The person who started it may not change codes of this account any more.',
  } satisfies Partial<Sentences<BulkEditReason>>;
}
