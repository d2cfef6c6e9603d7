/** @jsxImportSource preact */
import { Form } from '../ui/page-context.tsx';
import { DestinationField, type RejectedDestination } from './destination-field.tsx';

interface CreateFormProps {
  /** Identifies this form, so that sending it twice creates one code. */
  readonly attempt: string;
  readonly rejected: RejectedDestination | null;
}

/** The form that creates a code. */
export function CreateForm({ attempt, rejected }: CreateFormProps) {
  return (
    <Form to="/account/codes" class="create">
      <input type="hidden" name="attempt" value={attempt} />
      <DestinationField label="Create a QR code for this URL" value="" rejected={rejected} />
      <button type="submit">Create</button>
    </Form>
  );
}
