/** @jsxImportSource preact */
import { parseNewEmail } from '../../core/accounts/email.ts';
import { minPasswordLength, requirePassword } from '../../core/accounts/password/password.ts';
import type { PanelDeps } from '../request/deps.ts';
import { audit, type RequestContext } from '../request/request.ts';
import { PanelError } from '../routing/errors.tsx';
import { page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route } from '../routing/route.ts';
import { DoorCard } from '../ui/cards.tsx';
import { emailField, textField, Username } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { Submit } from '../ui/page-context.tsx';
import { clientOf, showCode } from './sign-in.tsx';
import { adoptZone, guessedZoneField } from './time-zone.tsx';

/** A new password, as the field of a form. */
export function newPasswordField(label: string, hint = '', isFirst = false) {
  return textField({
    label,
    hint: `At least ${minPasswordLength} characters, and not a common password.${hint}`,
    parse: requirePassword,
    type: 'password',
    autocomplete: 'new-password',
    minLength: minPasswordLength,
    required: true,
    autofocus: isFirst,
  });
}

/**
 * The form of a link.
 * That of the first account asks for its e-mail. Without passwords, a button signs in.
 */
const linkForm = (isFirst: boolean, hasPasswords: boolean) => ({
  ...(isFirst && {
    email: emailField({
      hint: 'You sign in with it. No e-mail is sent.',
      parse: parseNewEmail,
      autofocus: true,
    }),
  }),
  ...(hasPasswords && {
    password: newPasswordField(
      'Password',
      ' A few unrelated words are easy to remember.',
      !isFirst,
    ),
  }),
  zone: guessedZoneField,
});

/** Creates the routes of one-time links, which set a password or create the first account. */
export function linkRoutes(deps: PanelDeps): Route[] {
  const { signInLinks, sessions, hasPasswords } = deps;
  const invalidLink = async () => {
    const fix = (await signInLinks.isFirstAccountMissing())
      ? 'To create the first account, open the newest link in the log of this server.'
      : 'Ask the operator of this server for a new one.';
    return new PanelError(
      410,
      'This link is no longer valid',
      `It was used, has expired, was replaced, or the password has been changed since. ${fix}`,
    );
  };
  const findEmail = async ({ params: { token = '' } }: RequestContext) => {
    const link = await signInLinks.find(token);
    if (link === null) throw await invalidLink();
    return link.account?.email ?? null;
  };
  const show = async (context: RequestContext) => {
    const email = await findEmail(context);
    const isFirst = email === null;
    const [title, button] = hasPasswords
      ? ['Set your password', 'Set password']
      : ['Sign in', 'Sign in'];
    return page(
      context,
      title,
      <DoorCard
        title={isFirst ? 'Create your account' : title}
        text={
          isFirst
            ? 'It is the first one of this server, so it can create accounts for others.'
            : `For ${email}. You will be signed in here and signed out everywhere else.`
        }
      >
        <FormView form={linkForm(isFirst, hasPasswords)} to={context.url.pathname}>
          {!isFirst && <Username email={email} />}
          <Submit class="button primary large">{isFirst ? 'Create account' : button}</Submit>
        </FormView>
      </DoorCard>,
    );
  };
  const form = async (context: RequestContext) =>
    linkForm((await findEmail(context)) === null, hasPasswords);

  return [
    anyone.get('/account/link/:token', show),
    anyone.submit('/account/link/:token', { form, page: show }, async (context, values) => {
      const { token = '' } = context.params;
      const account = (await findEmail(context)) ?? values.email ?? '';
      const client = clientOf(context);
      const result = await signInLinks.redeem(token, values.password ?? null, account, client);
      if (result.outcome === 'gone') throw await invalidLink();
      if (context.sessionToken !== null) await sessions.end(context.sessionToken);
      const message = hasPasswords
        ? 'password set with a one-time link'
        : 'signed in with a one-time link';
      audit(context, message, { account });
      if (result.outcome === 'code needed') {
        const visitor = { ...context, session: null, sessionToken: null };
        return showCode(visitor, { next: '/account', again: '', proof: result.proof });
      }
      const guessed = await adoptZone(deps, result.session, values.zone);
      return redirectTo(context, '/account', guessed, { tokens: result });
    }),
  ];
}
