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
import { useHasActivePlan, useRequest } from '../ui/page-context.tsx';
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
    'Destination',
    'You can change it at any time. The printed code stays the same.',
  ),
};
const fixedDestinationForm = {
  url: destinationField('Destination', 'You can change it once your plan is renewed.'),
};

export function DestinationForm({ qr }: { qr: Qr }) {
  const hasActivePlan = useHasActivePlan();
  const to = `${codePath(qr.code)}/destination`;
  return (
    <FormView
      form={hasActivePlan ? destinationForm : fixedDestinationForm}
      to={to}
      values={{ url: qr.destination }}
      class="stack"
    >
      <div class="row">
        {hasActivePlan && (
          <button type="submit" class="button primary">
            Save
          </button>
        )}
        <a class="button" href={qr.destination} rel="noreferrer">
          Open
        </a>
        <UnsavedHint to={to} />
      </div>
    </FormView>
  );
}

/** Says that a form is not saved: after a rejection, or once the script sees a change. */
function UnsavedHint({ to }: { to: string }) {
  return (
    <p class="hint unsaved" hidden={useRejected(to) === null}>
      Not saved yet
    </p>
  );
}

/** The form for the labels of a code. */
export const labelsForm = mapLabels((_, { label, hint, parse, areaLength }: LabelField) =>
  areaLength === undefined
    ? nameField({ label, hint, parse })
    : // Browsers count UTF-16 code units.
      areaField({ label, hint, parse, maxLength: 2 * areaLength, rows: 3 }),
);

export function LabelsForm({ qr }: { qr: Qr }) {
  const to = `${codePath(qr.code)}/labels`;
  const values = mapLabels((name) => qr[name] ?? '');
  return (
    <section class="card pad stack tight">
      <h2>Name and note</h2>
      <FormView form={labelsForm} to={to} values={values} class="stack">
        <div class="row">
          <button type="submit" class="button primary">
            Save name and note
          </button>
          <UnsavedHint to={to} />
        </div>
      </FormView>
    </section>
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
