import type { SignIn } from '../../core/accounts/sign-in/sign-in.ts';
import type { Said } from '../../languages/texts.ts';
import { audit, type PersonContext, type RequestContext } from '../request/request.ts';
import { textField, verbatim } from '../ui/fields.tsx';
import { type Field, invalidField } from '../ui/form.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';

/**
 * The password of who is signed in, as the field of a form.
 * A session alone must not be enough for the change.
 */
export function presentPasswordField(label: Said = (t) => t.fields.currentPassword) {
  return textField({
    label,
    parse: (text) => text,
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
}

/**
 * The fields that prove who is signed in: the password, or none for somebody without one.
 * Then the route needs a confirmation, see `needsConfirmation`.
 */
export function ownPasswordForm({ session }: Pick<RequestContext, 'session'>): {
  readonly password?: Field<string>;
} {
  return session?.hasPassword
    ? { password: presentPasswordField((t) => t.fields.yourPassword) }
    : {};
}

/** @throws InvalidForm at the field `password` when it is not the password of who is signed in */
export async function requirePresentPassword(
  signIn: Pick<SignIn, 'confirm'>,
  context: PersonContext,
  password: string | undefined,
): Promise<void> {
  const { session, request } = context;
  if (!session.hasPassword && session.isConfirmed) return;
  const result = await signIn.confirm(session.person, password ?? '', { signal: request.signal });
  if (result.outcome === 'confirmed') return;
  audit(context, 'password confirmation failed', {}, 'warn');
  throw invalidField('password', (t) => panelSentence(result.problem, t));
}

/** A code of the second factor, as the field of a form. */
export function codeField(hint: Said = (t) => t.fields.sixDigits, autofocus = false) {
  return textField({
    label: (t) => t.fields.code,
    hint,
    parse: (text) => text,
    ...verbatim,
    autocomplete: 'one-time-code',
    required: true,
    autofocus,
  });
}

/** @throws InvalidForm at the field `code` when it is no code of the second factor of who is signed in */
export async function requireCode(
  signIn: Pick<SignIn, 'confirmCode'>,
  context: PersonContext,
  code: string,
): Promise<void> {
  const { session, request } = context;
  const result = await signIn.confirmCode(session.person, code, { signal: request.signal });
  if (result.outcome === 'confirmed') return;
  audit(context, 'second factor confirmation failed', {}, 'warn');
  throw invalidField('code', (t) => panelSentence(result.problem, t));
}
