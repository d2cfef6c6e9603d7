/** @jsxImportSource preact */
import { maxNameLength, maxNoteLength, parseName, parseNote } from '../../core/codes/labels.ts';
import type { Qr, QrLabels } from '../../core/codes/qr.ts';
import { InvalidInput } from '../../core/errors.ts';
import type { FormFields } from '../routing/forms.ts';
import { Field, TextArea } from '../ui/fields.tsx';
import { Form, useRequest } from '../ui/page-context.tsx';
import { anchorOf, codePath, titleOf } from './code-label.tsx';

// Browsers count UTF-16 code units, of which a character has up to two.
export const maxNameInput = 2 * maxNameLength;
const maxNoteInput = 2 * maxNoteLength;

/** Name and note as typed, and why they were rejected. */
export interface RejectedLabels {
  readonly name: string;
  readonly note: string;
  readonly problems: Readonly<Record<'name' | 'note', string | undefined>>;
}

/** Reads name and note from a form. */
export function readLabels(form: FormFields): QrLabels | RejectedLabels {
  const [name, note] = [form.text('name'), form.text('note')];
  const [nameResult, noteResult] = [attempt(() => parseName(name)), attempt(() => parseNote(note))];
  if ('value' in nameResult && 'value' in noteResult)
    return { name: nameResult.value, note: noteResult.value };
  return { name, note, problems: { name: nameResult.problem, note: noteResult.problem } };
}

type Result<T> = { readonly value: T; readonly problem?: never } | { readonly problem: string };

function attempt<T>(parse: () => T): Result<T> {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof InvalidInput) return { problem: error.message };
    throw error;
  }
}

/** The form for the name and the note of a code, on its page. */
export function LabelsForm({ qr, rejected }: { qr: Qr; rejected: RejectedLabels | null }) {
  const shown = rejected ?? { name: qr.name ?? '', note: qr.note ?? '' };
  return (
    <section class="card">
      <h2>Name and note</h2>
      <Form to={`${codePath(qr.code)}/labels`} class="stack">
        <Field
          id="name"
          label="Name"
          hint="Shown in lists and file names. It is not part of the image."
          problem={rejected?.problems.name}
          value={shown.name}
          maxLength={maxNameInput}
          autocomplete="off"
        />
        <TextArea
          id="note"
          label="Note"
          hint="Only you see it."
          problem={rejected?.problems.note}
          value={shown.note}
          maxLength={maxNoteInput}
          rows={3}
        />
        <div class="row">
          <button type="submit">Save name and note</button>
          <p class="hint unsaved" hidden={rejected === null}>
            Not saved yet
          </p>
        </div>
      </Form>
    </section>
  );
}

/** A disclosure that renames a code in its list. */
export function Rename({ qr }: { qr: Qr }) {
  const { pathname, searchParams } = useRequest().url;
  const query = new URLSearchParams(searchParams);
  query.delete('done');
  const id = `name-${anchorOf(qr)}`;
  return (
    <details class="rename">
      <summary aria-label={`Rename ${titleOf(qr)}`}>Rename</summary>
      <Form to={`${codePath(qr.code)}/name`} class="row">
        <input type="hidden" name="list" value={`${pathname}?${query}`} />
        <label class="hidden" for={id}>
          Name of {qr.code}
        </label>
        <input
          id={id}
          name="name"
          type="text"
          value={qr.name ?? ''}
          maxLength={maxNameInput}
          autocomplete="off"
        />
        <button type="submit">Save</button>
      </Form>
    </details>
  );
}
