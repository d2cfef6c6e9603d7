/** @jsxImportSource preact */

import { type LabelField, labelFields, mapLabels } from '../../core/codes/fields.ts';
import type { Folder } from '../../core/codes/ports.ts';
import { parseSizeMm } from '../../core/codes/print/paper.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { withScheme } from '../../core/codes/urls/destination.ts';
import type { SavedDesign } from '../../core/designs/ports.ts';
import { parseName } from '../../core/labels.ts';
import { designField } from '../designs/design-choice.ts';
import { Submit } from '../ui/buttons.tsx';
import { DialogActions, DialogPage } from '../ui/components.tsx';
import { areaField, hiddenField, nameField, textField } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { HiddenFields } from '../ui/page-context.tsx';
import { codePath } from './code-label.tsx';

/** A destination. Type `url` would make browsers reject a URL without scheme. */
export function destinationField(label: string, hint = '') {
  return textField({
    label,
    hint,
    parse: withScheme,
    type: 'text',
    inputMode: 'url',
    placeholder: 'https://example.com/menu',
    required: true,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: false,
  });
}

// More would be slow to choose from.
const maxSuggestions = 200;

/** A folder, with those that exist as suggestions. */
export function folderField(folders: readonly Folder[]) {
  const { label, hint, parse } = labelFields.folder;
  const suggestions = folders.flatMap(({ name }) => name ?? []).slice(0, maxSuggestions);
  return nameField({ label: `${label} (optional)`, hint, parse, suggestions });
}

/** The form for a new code. Sending it twice with the same attempt creates one code. */
export const createForm = (designs: readonly SavedDesign[], folders: readonly Folder[]) => ({
  attempt: hiddenField((text) => text),
  url: destinationField(
    'Where should it lead?',
    'You can change it at any time. The printed code stays the same.',
  ),
  name: nameField({ label: 'Name (optional)', parse: parseName, placeholder: 'Table 7' }),
  folder: folderField(folders),
  design: designField(designs),
});

interface CreateFormProps {
  /** Identifies this form, so that sending it twice creates one code. */
  readonly attempt: string;
  readonly form: ReturnType<typeof createForm>;
  /** Folder that is chosen at first. */
  readonly folder: string;
}

export function CreateDialog({ attempt, form, folder }: CreateFormProps) {
  return (
    <DialogPage title="New code">
      <FormView form={form} to="/account/codes" values={{ attempt, folder }} data-in-place>
        <DialogActions back="/account/codes">
          <Submit>Create</Submit>
        </DialogActions>
      </FormView>
    </DialogPage>
  );
}

/** The form that changes the destination of a code. */
export const destinationForm = {
  url: destinationField(
    'Where should it lead?',
    'You can change it at any time. The printed code stays the same.',
  ),
};

interface CodeDialogProps {
  readonly qr: Qr;
  /** Path of the list to go back to; empty for the page of the code. */
  readonly list: string;
}

export function DestinationDialog({ qr, list }: CodeDialogProps) {
  return (
    <DialogPage title="Change destination">
      <FormView
        form={destinationForm}
        to={`${codePath(qr.code)}/destination`}
        values={{ url: qr.destination }}
        data-in-place
      >
        <SaveActions qr={qr} list={list} />
      </FormView>
    </DialogPage>
  );
}

function SaveActions({ qr, list }: CodeDialogProps) {
  return (
    <>
      <HiddenFields values={{ list }} />
      <DialogActions back={list || codePath(qr.code)}>
        <Submit>Save</Submit>
      </DialogActions>
    </>
  );
}

/** The form that downloads a code as a PDF. */
export const pdfForm = {
  size: textField({
    label: 'Width in print (mm)',
    hint: 'With its margin. Layout programs place it as wide.',
    parse: parseSizeMm,
    inputMode: 'decimal',
    required: true,
    autocomplete: 'off',
  }),
};

const offeredWidthMm = '40';

export function PdfDialog({ qr }: { qr: Qr }) {
  const path = codePath(qr.code);
  return (
    <DialogPage title="Download PDF">
      <p class="hint">One vector image for print shops. Black is one ink.</p>
      <FormView form={pdfForm} to={`${path}/pdf`} values={{ size: offeredWidthMm }}>
        <DialogActions back={path}>
          <Submit>Download PDF</Submit>
        </DialogActions>
      </FormView>
    </DialogPage>
  );
}

/** The form for the labels of a code. */
export const labelsForm = mapLabels((_, { label, hint, parse, areaLength }: LabelField) =>
  areaLength === undefined
    ? nameField({ label, hint, parse })
    : // Browsers count UTF-16 code units.
      areaField({ label, hint, parse, maxLength: 2 * areaLength, rows: 3 }),
);

export function LabelsDialog({ qr, list }: CodeDialogProps) {
  return (
    <DialogPage title="Name, note and folder">
      <FormView
        form={labelsForm}
        to={`${codePath(qr.code)}/labels`}
        values={mapLabels((name) => qr[name] ?? '')}
        data-in-place
      >
        <SaveActions qr={qr} list={list} />
      </FormView>
    </DialogPage>
  );
}
