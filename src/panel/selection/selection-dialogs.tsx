/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from 'preact';
import type { BulkEditPreview } from '../../core/batches/bulk-edits.ts';
import { maxBulkEditCodes } from '../../core/batches/bulk-edits.ts';
import { labelFields } from '../../core/codes/fields.ts';
import { parseFolder } from '../../core/codes/lists/lists.ts';
import type { Folder } from '../../core/codes/ports.ts';
import type { ArchiveOptions } from '../../core/codes/print/archive.ts';
import { printedWidthMm } from '../../core/codes/print/size.ts';
import { imageWidthPxRange, offeredPngWidthsPx } from '../../core/codes/qrs.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { formatCount } from '../../lib/numbers.ts';
import { destinationField } from '../codes/code-forms.ts';
import {
  existingName,
  folderChoice,
  folderField,
  noFolder,
} from '../codes/folders/folder-field.tsx';
import { PlanDialog, PlanProof } from '../codes/schedule/schedule-dialog.tsx';
import type { PlanForm } from '../codes/schedule/schedule-form.ts';
import { type Selection, selectionValues } from '../codes/selection.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { DialogActions, DialogPage } from '../ui/dialog.tsx';
import {
  checkField,
  hiddenField,
  nameField,
  selectField,
  textField,
  trimmed,
  verbatim,
} from '../ui/fields.tsx';
import { type Field, type FormDescription, FormView } from '../ui/form.tsx';
import { formatLength } from '../ui/formatting.ts';
import {
  Form,
  HiddenFields,
  Submit,
  useHasActivePlan,
  useRejected,
  useRequest,
  useTexts,
} from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';

/** Codes that a dialog is about. */
export interface SelectedCodes {
  readonly selection: Selection;
  /** Describes the codes: `3 codes`. */
  readonly codes: string;
  /** The last bulk edit, to undo. */
  readonly last: VNode | null;
}

export interface DialogProps {
  readonly about: SelectedCodes;
}

interface SelectionDialogProps extends DialogProps {
  readonly title: string;
  /** What will happen to the codes. */
  readonly text: string;
  readonly children: ComponentChildren;
}

function SelectionDialog({ about, title, text, children }: SelectionDialogProps) {
  return (
    <DialogPage title={title}>
      <p>
        <b>
          <bdi>{about.codes}</bdi>.
        </b>{' '}
        {text}
      </p>
      {children}
      {about.last}
    </DialogPage>
  );
}

/** Says that there are too many codes to edit. */
export function TooManyDialog({ about }: DialogProps) {
  const text = panelSentence({ kind: 'too many selected', max: maxBulkEditCodes }, useTexts());
  return (
    <SelectionDialog about={about} title="Too many codes to edit at once" text={text}>
      <DialogActions back={about.selection.list} />
    </SelectionDialog>
  );
}

interface ActionsProps {
  readonly selection: Selection;
  /** Another way to go. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Renders the last line of a dialog's form. */
function Actions({ selection, beside, children }: ActionsProps) {
  return (
    <>
      <HiddenFields values={selectionValues(selection)} />
      <DialogActions back={selection.list} beside={beside}>
        {children}
      </DialogActions>
    </>
  );
}

/** The form that gives codes one destination. */
export const destinationForm = {
  url: destinationField('Where should they lead?'),
};

/** The form that replaces a part of destinations. */
export const replaceForm = {
  replaced: partField('Replace', 'https://old.example', true),
  replacement: partField('With', 'https://new.example', false),
};

function partField(label: string, placeholder: string, required: boolean) {
  return textField({ label, placeholder, required, parse: trimmed, ...verbatim });
}

interface DestinationDialogProps extends DialogProps {
  /** What was typed before the preview; empty at first. */
  readonly replaced: string;
  readonly replacement: string;
}

/** Asks for one destination, or for a part of the destinations to replace. */
export function DestinationDialog({ about, replaced, replacement }: DestinationDialogProps) {
  const { selection } = about;
  const preview = '/account/selection/preview';
  const isReplacing = useRejected(preview) !== null || replaced !== '';
  const canChange = useHasActivePlan();
  return (
    <SelectionDialog
      about={about}
      title="Change destination"
      text={
        canChange
          ? 'What is printed stays the same.'
          : 'You can change destinations once this account has an active plan.'
      }
    >
      {canChange ? (
        <>
          <details name="way" open={!isReplacing}>
            <summary>One destination for all</summary>
            <FormView form={destinationForm} to="/account/selection/destination">
              <Actions selection={selection} beside={<PlanLater />}>
                <Submit>Change</Submit>
              </Actions>
            </FormView>
          </details>
          <details name="way" open={isReplacing}>
            <summary>Find and replace</summary>
            <FormView form={replaceForm} to={preview} values={{ replaced, replacement }}>
              <Actions selection={selection}>
                <Submit>Preview</Submit>
              </Actions>
            </FormView>
          </details>
        </>
      ) : (
        <DialogActions back={selection.list} />
      )}
    </SelectionDialog>
  );
}

interface MoveForm extends FormDescription {
  /** Reads undefined without a choice. */
  readonly folder: Field<string | null | undefined>;
  /** A new folder, which comes first; null without one. */
  readonly created: Field<string | null>;
}

/** More are searched, not read. */
const maxFolderChoices = 7;

/** Creates the form that moves codes to a folder: an existing one, or a new one. */
export function moveForm(folders: readonly Folder[]): MoveForm {
  const named = folders.filter(({ name }) => name !== null);
  const parse = (text: string) => existingName(named, labelFields.folder.parse(text));
  if (named.length === 0)
    return {
      folder: hiddenField(() => null),
      created: nameField({ label: 'New folder', parse: parseFolder, autofocus: true }),
    };
  if (named.length > maxFolderChoices) {
    const field = folderField(folders, false);
    return {
      folder: {
        ...field,
        draw: (drawn) => field.draw({ ...drawn, value: drawn.value.trim() }),
        read: async (typed, name) =>
          typed.text('out') === 'yes' ? null : ((await field.read(typed, name)) ?? undefined),
      },
      out: checkField('No folder: take them out of theirs'),
      created: hiddenField(() => null),
    };
  }
  return {
    folder: folderChoice(folders),
    created: nameField({ label: 'Or a new folder', parse, placeholder: 'Its name' }),
  };
}

interface FolderDialogProps extends DialogProps {
  readonly folders: readonly Folder[];
  /** Where a code is now. */
  readonly folder?: string | null;
}

export function FolderDialog({ about, folders, folder }: FolderDialogProps) {
  return (
    <SelectionDialog about={about} title="Move to a folder" text="A code is in one folder at most.">
      <FormView
        form={moveForm(folders)}
        to="/account/selection/folder"
        values={{ folder: folder === undefined ? '' : (folder ?? noFolder) }}
      >
        <Actions selection={about.selection}>
          <Submit>Move</Submit>
        </Actions>
      </FormView>
    </SelectionDialog>
  );
}

interface PlanSelectedProps extends DialogProps {
  readonly form: PlanForm;
  readonly values: Readonly<Record<string, string>>;
}

/** Plans a change of all selected codes. */
export function PlanSelectedDialog({ about, form, values }: PlanSelectedProps) {
  const { selection, codes, last } = about;
  const request = useRequest();
  const typed = (name: string) => request.rejected?.typed.text(name) ?? values[name] ?? '';
  return (
    <PlanDialog
      title="Plan a change"
      text={
        <>
          <b>
            <bdi>{codes}</bdi>.
          </b>{' '}
          What is planned for them already stays.
        </>
      }
      form={form}
      to="/account/selection/plan"
      values={values}
      back={selection.list}
      proof={<PlanProof typed={typed} from={null} local={request} />}
      proofPath="/account/selection/plan/proof"
    >
      <HiddenFields values={selectionValues(selection)} />
      {last}
    </PlanDialog>
  );
}

/**
 * Renders the button of a dialog that plans its change for later.
 * The script shows that dialog in place.
 */
function PlanLater() {
  return (
    <Submit
      class="button plain small"
      formaction={`${useRequest().basePath}/account/selection`}
      formnovalidate
      name="open"
      value="plan"
      data-dialog
    >
      Plan it for later
    </Submit>
  );
}

/** Changes without anything to type. */
export const statusKinds = [
  'pause',
  'resume',
  'archive',
  'unarchive',
  'query-on',
  'query-off',
] as const;
type StatusKind = (typeof statusKinds)[number];

/** The dialogs of changes. The change that most people came for is last. */
export const statusDialogs = {
  status: {
    title: 'Pause or resume',
    text: 'Paused codes show a “paused” page instead of redirecting. Scans are not counted.',
    kinds: ['resume', 'pause'],
  },
  archive: {
    title: 'Archive',
    text: 'Archived codes are left out of lists, searches and exports. They still redirect and count.',
    kinds: ['unarchive', 'archive'],
  },
  query: {
    title: 'Pass the query on',
    text: 'What stands behind the question mark of a scanned address, such as ?table=7, is added to the destination.',
    kinds: ['query-off', 'query-on'],
  },
} as const;

/** What a button does to some codes. */
const changeTexts: Readonly<Record<StatusKind, (codes: string) => string>> = {
  pause: (codes) => `Pause ${codes}`,
  resume: (codes) => `Resume ${codes}`,
  archive: (codes) => `Archive ${codes}`,
  unarchive: (codes) => `Unarchive ${codes}`,
  'query-on': (codes) => `Switch on for ${codes}`,
  'query-off': (codes) => `Switch off for ${codes}`,
};

interface StatusDialogProps extends DialogProps {
  readonly title: string;
  readonly text: string;
  readonly changes: readonly (readonly [kind: StatusKind, preview: BulkEditPreview])[];
}

/** Asks before a change of {@link statusKinds} is made, and says how many codes will change. */
export function StatusDialog({ about, title, text, changes }: StatusDialogProps) {
  const possible = changes.filter(([, { edits }]) => edits.length > 0);
  const blocked = Math.max(...changes.map(([, { refused }]) => refused.length));
  const canPlan = changes.some(([kind]) => kind === 'pause');
  return (
    <SelectionDialog about={about} title={title} text={text}>
      {blocked > 0 && (
        <p class="hint">
          {formatCount(blocked, 'code is', 'codes are')} blocked by the operator, which stays.
        </p>
      )}
      <Form to="/account/selection/apply">
        <Actions selection={about.selection} beside={canPlan && <PlanLater />}>
          {possible.map(([kind, { edits }], index) => (
            <Submit
              key={kind}
              class={`button ${index === possible.length - 1 ? 'primary' : ''}`}
              name="do"
              value={kind}
            >
              {changeTexts[kind](formatCount(edits.length, 'code'))}
            </Submit>
          ))}
        </Actions>
      </Form>
    </SelectionDialog>
  );
}

/** The form that downloads the images of codes. */
export const downloadForm = {
  format: selectField({
    label: 'Format',
    options: [
      { value: 'svg', text: 'SVG, any size' },
      { value: 'pdf', text: 'PDF, any size' },
      ...offeredPngWidthsPx.map((width) => ({
        value: `png-${width}`,
        text: (t: Texts) => `PNG, ${width} px, ${formatLength(printedWidthMm(width), t)} wide`,
      })),
    ],
    parse: (value): ArchiveOptions => {
      const widthPx = offeredPngWidthsPx.find((width) => value === `png-${width}`);
      if (widthPx !== undefined) return { format: 'png', widthPx };
      const format = value === '' ? 'svg' : value;
      if (format !== 'svg' && format !== 'pdf')
        throw new InvalidInput('There is no such format. Choose one of the list.');
      return { format, widthPx: imageWidthPxRange.default };
    },
  }),
};

export function DownloadDialog({ about }: DialogProps) {
  return (
    <SelectionDialog
      about={about}
      title="Download images"
      text="A ZIP file with an image per code, named by its name, and a table in CSV."
    >
      <FormView
        form={downloadForm}
        to="/account/selection/images.zip"
        values={{ format: 'svg' }}
        data-download
        data-closes
      >
        <Actions selection={about.selection}>
          <Submit>Download ZIP</Submit>
        </Actions>
      </FormView>
    </SelectionDialog>
  );
}
