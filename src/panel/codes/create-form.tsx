/** @jsxImportSource preact */
import { InvalidInput } from '../../core/errors.ts';
import type { SavedDesign } from '../../core/ports.ts';
import { DesignChoice } from '../designs/design-choice.tsx';
import { Field } from '../ui/fields.tsx';
import { Form } from '../ui/page-context.tsx';
import {
  DestinationField,
  type RejectedDestination,
  rejectedDestination,
} from './destination-field.tsx';
import { maxNameInput } from './labels.tsx';

/** What was typed into the form. */
export interface TypedCode {
  readonly url: string;
  readonly name: string;
  /** Name of a saved design; empty for the default. */
  readonly design: string;
}

/** A form for a new code that was rejected. */
export interface RejectedCreate extends TypedCode {
  readonly status: number;
  readonly destination: RejectedDestination | null;
  /** Why the name or the design was rejected. */
  readonly problem?: string;
}

/** Returns the rejection to show in the form. Rethrows any other error. */
export function rejectedCreate(typed: TypedCode, thrown: unknown): RejectedCreate {
  if (thrown instanceof InvalidInput)
    return { ...typed, status: 422, destination: null, problem: thrown.message };
  const destination = rejectedDestination(typed.url, thrown);
  return { ...typed, status: destination.error.status, destination };
}

interface CreateFormProps {
  /** Identifies this form, so that sending it twice creates one code. */
  readonly attempt: string;
  readonly designs: readonly SavedDesign[];
  readonly rejected: RejectedCreate | null;
}

/** The form that creates a code. */
export function CreateForm({ attempt, designs, rejected }: CreateFormProps) {
  return (
    <Form to="/account/codes" class="create">
      <input type="hidden" name="attempt" value={attempt} />
      <DestinationField
        label="Create a QR code for this URL"
        value={rejected?.url ?? ''}
        rejected={rejected?.destination ?? null}
      />
      <Field
        id="name"
        label="Name (optional)"
        problem={rejected?.problem}
        value={rejected?.name ?? ''}
        placeholder="Table 7"
        maxLength={maxNameInput}
        autocomplete="off"
      />
      <DesignChoice designs={designs} value={rejected?.design ?? ''} />
      <button type="submit">Create</button>
    </Form>
  );
}
