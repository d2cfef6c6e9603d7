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
import type { Said } from '../../languages/texts.ts';
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
        <TheseCodes about={about} /> {text}
      </p>
      {children}
      {about.last}
    </DialogPage>
  );
}

/** Says which codes a dialog is about. */
function TheseCodes({ about }: DialogProps) {
  return (
    <>
      {useTexts().selection.these<ComponentChildren>({
        b: (parts) => <b>{parts}</b>,
        codes: <bdi>{about.codes}</bdi>,
      })}
    </>
  );
}

/** Says that there are too many codes to edit. */
export function TooManyDialog({ about }: DialogProps) {
  const text = panelSentence({ kind: 'too many selected', max: maxBulkEditCodes }, useTexts());
  return (
    <SelectionDialog about={about} title={useTexts().selection.tooMany} text={text}>
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
  url: destinationField((t) => t.selection.whereTo),
};

/** The form that replaces a part of destinations. */
export const replaceForm = {
  replaced: partField((t) => t.selection.replace, 'https://old.example', true),
  replacement: partField((t) => t.selection.replaceWith, 'https://new.example', false),
};

function partField(label: Said, placeholder: string, required: boolean) {
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
  const { selection: t } = useTexts();
  return (
    <SelectionDialog
      about={about}
      title={t.changeDestination}
      text={canChange ? t.printedStays : t.needsPlan}
    >
      {canChange ? (
        <>
          <details name="way" open={!isReplacing}>
            <summary>{t.oneForAll}</summary>
            <FormView form={destinationForm} to="/account/selection/destination">
              <Actions selection={selection} beside={<PlanLater />}>
                <Submit>{t.change}</Submit>
              </Actions>
            </FormView>
          </details>
          <details name="way" open={isReplacing}>
            <summary>{t.findAndReplace}</summary>
            <FormView form={replaceForm} to={preview} values={{ replaced, replacement }}>
              <Actions selection={selection}>
                <Submit>{t.preview}</Submit>
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
      created: nameField({
        label: (t) => t.selection.newFolder,
        parse: parseFolder,
        autofocus: true,
      }),
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
      out: checkField((t) => t.selection.takeOut),
      created: hiddenField(() => null),
    };
  }
  return {
    folder: folderChoice(folders),
    created: nameField({
      label: (t) => t.selection.orNewFolder,
      parse,
      placeholder: (t) => t.selection.nameOfFolder,
    }),
  };
}

interface FolderDialogProps extends DialogProps {
  readonly folders: readonly Folder[];
  /** Where a code is now. */
  readonly folder?: string | null;
}

export function FolderDialog({ about, folders, folder }: FolderDialogProps) {
  const { selection: t } = useTexts();
  return (
    <SelectionDialog about={about} title={t.moveToFolder} text={t.oneFolderAtMost}>
      <FormView
        form={moveForm(folders)}
        to="/account/selection/folder"
        values={{ folder: folder === undefined ? '' : (folder ?? noFolder) }}
      >
        <Actions selection={about.selection}>
          <Submit>{t.move}</Submit>
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
  const { selection, last } = about;
  const request = useRequest();
  const { selection: t } = useTexts();
  const typed = (name: string) => request.rejected?.typed.text(name) ?? values[name] ?? '';
  return (
    <PlanDialog
      title={t.plan}
      text={
        <>
          <TheseCodes about={about} /> {t.plannedStays}
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
      {useTexts().selection.planLater}
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

/** What a text of the dialogs is, in a language. */
type SelectionText = (t: Texts['selection']) => string;

/** The dialogs of changes. The change that most people came for is last. */
export const statusDialogs = {
  status: {
    title: (t) => t.pauseOrResume,
    text: (t) => t.whatPausing,
    kinds: ['resume', 'pause'],
  },
  archive: {
    title: (t) => t.archive,
    text: (t) => t.whatArchiving,
    kinds: ['unarchive', 'archive'],
  },
  query: {
    title: (t) => t.passQuery,
    text: (t) => t.whatQuery,
    kinds: ['query-off', 'query-on'],
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly title: SelectionText;
      readonly text: SelectionText;
      readonly kinds: readonly StatusKind[];
    }
  >
>;

/** What a button does to some codes. */
const changeTexts: Readonly<Record<StatusKind, (t: Texts['selection'], codes: number) => string>> =
  {
    pause: (t, codes) => t.pauseCodes({ codes }),
    resume: (t, codes) => t.resumeCodes({ codes }),
    archive: (t, codes) => t.archiveCodes({ codes }),
    unarchive: (t, codes) => t.unarchiveCodes({ codes }),
    'query-on': (t, codes) => t.queryOnFor({ codes }),
    'query-off': (t, codes) => t.queryOffFor({ codes }),
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
  const { selection: t } = useTexts();
  return (
    <SelectionDialog about={about} title={title} text={text}>
      {blocked > 0 && <p class="hint">{t.blockedStay({ codes: blocked })}</p>}
      <Form to="/account/selection/apply">
        <Actions selection={about.selection} beside={canPlan && <PlanLater />}>
          {possible.map(([kind, { edits }], index) => (
            <Submit
              key={kind}
              class={`button ${index === possible.length - 1 ? 'primary' : ''}`}
              name="do"
              value={kind}
            >
              {changeTexts[kind](t, edits.length)}
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
    label: (t) => t.selection.format,
    options: [
      { value: 'svg', text: (t) => t.selection.svgAnySize },
      { value: 'pdf', text: (t) => t.selection.pdfAnySize },
      ...offeredPngWidthsPx.map((width) => ({
        value: `png-${width}`,
        text: (t: Texts) =>
          t.selection.pngOfSize({
            pixels: String(width),
            length: formatLength(printedWidthMm(width), t),
          }),
      })),
    ],
    parse: (value): ArchiveOptions => {
      const widthPx = offeredPngWidthsPx.find((width) => value === `png-${width}`);
      if (widthPx !== undefined) return { format: 'png', widthPx };
      const format = value === '' ? 'svg' : value;
      if (format !== 'svg' && format !== 'pdf')
        throw new InvalidInput((t) => t.selection.noSuchFormat);
      return { format, widthPx: imageWidthPxRange.default };
    },
  }),
};

export function DownloadDialog({ about }: DialogProps) {
  const { selection: t } = useTexts();
  return (
    <SelectionDialog about={about} title={t.downloadImages} text={t.whatZip}>
      <FormView
        form={downloadForm}
        to="/account/selection/images.zip"
        values={{ format: 'svg' }}
        data-download
        data-closes
      >
        <Actions selection={about.selection}>
          <Submit>{t.downloadZip}</Submit>
        </Actions>
      </FormView>
    </SelectionDialog>
  );
}
