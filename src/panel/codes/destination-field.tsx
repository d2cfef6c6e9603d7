/** @jsxImportSource preact */
import { trimInvisible } from '../../core/codes/destination.ts';
import { ApiError } from '../../core/errors.ts';
import type { FormFields } from '../routing/forms.ts';
import { Field } from '../ui/fields.tsx';
import { Link } from '../ui/page-context.tsx';

/** A destination that was rejected. */
export interface RejectedDestination {
  readonly typed: string;
  readonly error: ApiError;
}

const shownErrors: readonly string[] = ['invalid_url', 'unsafe_url', 'design_unreadable'];

/** Returns the rejection to show beside the field. Rethrows any other error. */
export function rejectedDestination(typed: string, thrown: unknown): RejectedDestination {
  if (thrown instanceof ApiError && shownErrors.includes(thrown.code))
    return { typed, error: thrown };
  throw thrown;
}

/** Reads the destination from a form. Adds `https://` to a URL that begins with a domain. */
export function readDestination(form: FormFields): string {
  const typed = trimInvisible(form.text('url'));
  const startsWithDomain = /^[^\s/?#:@.]+(\.[^\s/?#:@.]+)+(:\d+)?([/?#]|$)/.test(typed);
  return startsWithDomain ? `https://${typed}` : typed;
}

interface DestinationFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly rejected: RejectedDestination | null;
}

/** The field for a destination. Type `url` would make browsers reject a URL without scheme. */
export function DestinationField({ label, hint, value, rejected }: DestinationFieldProps) {
  return (
    <Field
      id="url"
      label={label}
      hint={hint}
      problem={rejected ? <Problem error={rejected.error} /> : undefined}
      type="text"
      inputMode="url"
      value={rejected?.typed ?? value}
      placeholder="https://example.com/menu"
      required
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
    />
  );
}

function Problem({ error }: { error: ApiError }) {
  return (
    <>
      {error.message}{' '}
      {error.code === 'design_unreadable' && <Link to="/account/design">Change the design</Link>}
    </>
  );
}
