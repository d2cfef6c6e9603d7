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
import { sentencesOf } from './lists.ts';

/** Why a name, a note or another label cannot be used. */
export const labelSentences = ({ labelReasons: t }: Texts) =>
  ({
    'several lines in a label': ({ noun }) =>
      t.severalLines({ label: noun === 'business name' ? 'businessName' : noun }),
    'label too long': ({ noun, maxLength }) =>
      t.tooLong({ label: noun === 'business name' ? 'businessName' : noun, chars: maxLength }),
    'neither on nor off': () => t.writeOnOrOff({ on: 'on', off: 'off' }),
  }) satisfies Partial<Sentences<LabelReason>>;

/** Why a code cannot lead to a destination. */
export const destinationSentences = ({ destinationReasons: t }: Texts) =>
  ({
    'destination cannot be checked': () => t.cannotBeChecked,
  }) satisfies Partial<Sentences<DestinationReason>>;

/** What does not exist. */
export const missingSentences = ({ codeReasons: t }: Texts) =>
  ({
    'no image of an imported link': () => t.noImage,
  }) satisfies Partial<Sentences<MissingReason>>;

/** Why a saved design cannot be found or named. */
export const savedDesignSentences = ({ codeReasons: t }: Texts): Sentences<SavedDesignReason> => ({
  'no such saved design': t.noSuchDesign,
  'saved design exists': t.designExists,
  'saved design without a name': () => t.designWithoutName,
});

/** Why a list cannot be shown, or a folder be named. */
export const listSentences = ({ codeReasons: t }: Texts) =>
  ({
    'folder without a name': () => t.folderWithoutName,
  }) satisfies Partial<Sentences<ListReason>>;

/**
 * Creates the sentences on why a bulk edit is not made, or does not change a code.
 *
 * @param say the sentence of another reason
 */
export function bulkEditSentences(texts: Texts, say: (reason: Reason) => string) {
  const { bulkEditReasons: t } = texts;
  return {
    'no bulk edit to undo': () => t.nothingToUndo,
    'earlier destination rejected': ({ code, reason }) =>
      sentencesOf([t.earlierRejected({ code }), say(reason)], texts),
    'blocked by the operator': () => t.blocked,
    'nothing left of the destination': () => t.nothingLeft,
    'changed meanwhile': () => t.changedMeanwhile,
    'bulk edit stopped': () => t.stopped,
    'editor without a right': () => t.editorWithoutRight,
  } satisfies Partial<Sentences<BulkEditReason>>;
}
