/** @jsxImportSource preact */
import { withScheme } from '../../core/codes/destination.ts';
import { type LabelField, mapLabels } from '../../core/codes/fields.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { SavedDesign } from '../../core/designs/ports.ts';
import { parseName } from '../../core/labels.ts';
import { designField } from '../designs/design-choice.ts';
import { areaField, hiddenField, nameField, textField } from '../forms/fields.tsx';
import { FormView, useRejected } from '../forms/form.tsx';
import { ownPath } from '../request/own-path.ts';
import { DialogActions, DialogPage } from '../ui/components.tsx';
import { useRequest } from '../ui/page-context.tsx';
import { anchorOf, codePath, titleOf } from './code-label.tsx';

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

/** The form for a new code. Sending it twice with the same attempt creates one code. */
export const createForm = (designs: readonly SavedDesign[]) => ({
  attempt: hiddenField((text) => text),
  url: destinationField('Create a QR code for this URL'),
  name: nameField({ label: 'Name (optional)', parse: parseName, placeholder: 'Table 7' }),
  design: designField(designs),
});

interface CreateFormProps {
  /** Identifies this form, so that sending it twice creates one code. */
  readonly attempt: string;
  readonly designs: readonly SavedDesign[];
}

export function CreateForm({ attempt, designs }: CreateFormProps) {
  return (
    <FormView
      form={createForm(designs)}
      to="/account/codes"
      values={{ attempt }}
      class="card pad stack tight"
    >
      <button type="submit" class="button primary">
        Create
      </button>
    </FormView>
  );
}

/** The form that changes the destination of a code. */
export const destinationForm = {
  url: destinationField(
    'Where should it lead?',
    'You can change it at any time. The printed code stays the same.',
  ),
};

export function DestinationDialog({ qr }: { qr: Qr }) {
  return (
    <DialogPage title="Change destination">
      <FormView
        form={destinationForm}
        to={`${codePath(qr.code)}/destination`}
        values={{ url: qr.destination }}
      >
        <SaveActions qr={qr} />
      </FormView>
    </DialogPage>
  );
}

function SaveActions({ qr }: { qr: Qr }) {
  return (
    <DialogActions back={codePath(qr.code)}>
      <button type="submit" class="button primary">
        Save
      </button>
    </DialogActions>
  );
}

/** The form for the labels of a code. */
export const labelsForm = mapLabels((_, { label, hint, parse, areaLength }: LabelField) =>
  areaLength === undefined
    ? nameField({ label, hint, parse })
    : // Browsers count UTF-16 code units.
      areaField({ label, hint, parse, maxLength: 2 * areaLength, rows: 3 }),
);

export function LabelsDialog({ qr }: { qr: Qr }) {
  return (
    <DialogPage title="Name, note and folder">
      <FormView
        form={labelsForm}
        to={`${codePath(qr.code)}/labels`}
        values={mapLabels((name) => qr[name] ?? '')}
      >
        <SaveActions qr={qr} />
      </FormView>
    </DialogPage>
  );
}

/** The form that renames a code in its list, which is shown again. */
export const renameForm = (label: string) => ({
  list: hiddenField(ownPath),
  name: nameField({ label, isLabelHidden: true, parse: parseName }),
});

export function Rename({ qr }: { qr: Qr }) {
  const { pathname, search } = useRequest().url;
  const to = `${codePath(qr.code)}/name`;
  const values = { list: `${pathname}${search}`, name: qr.name ?? '' };
  return (
    <details class="rename" open={useRejected(to) !== null}>
      <summary aria-label={`Rename ${titleOf(qr)}`}>Rename</summary>
      <FormView
        form={renameForm(`Name of ${qr.code}`)}
        to={to}
        values={values}
        idSuffix={`-${anchorOf(qr)}`}
        class="row"
      >
        <button type="submit" class="button primary">
          Save
        </button>
      </FormView>
    </details>
  );
}
