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
import { adoptLanguage } from './language.tsx';
import { clientOf, showCode } from './sign-in.tsx';
import { adoptZone, guessedZoneField } from './time-zone.tsx';

const newPassword = {
  parse: requirePassword,
  type: 'password',
  autocomplete: 'new-password',
  minLength: minPasswordLength,
  required: true,
} as const;

/** Creates the field of a password in place of another. */
export function newPasswordField() {
  return textField({
    label: (t) => t.fields.newPassword,
    hint: (t) => t.fields.newPasswordHint({ chars: minPasswordLength }),
    ...newPassword,
  });
}

/** Creates the field of the password of somebody who has none, or has forgotten it. */
export function firstPasswordField(autofocus: boolean) {
  return textField({
    label: (t) => t.fields.password,
    hint: (t) => t.fields.firstPasswordHint({ chars: minPasswordLength }),
    ...newPassword,
    autofocus,
  });
}

/**
 * The form of a link.
 * That of the first account asks for its e-mail. Without passwords, a button signs in.
 */
const linkForm = (isFirst: boolean, hasPasswords: boolean) => ({
  ...(isFirst && {
    email: emailField({
      hint: (t) => t.link.youSignInWithIt,
      parse: parseNewEmail,
      autofocus: true,
    }),
  }),
  ...(hasPasswords && {
    password: firstPasswordField(!isFirst),
  }),
  zone: guessedZoneField,
});

/** Creates the routes of one-time links, which set a password or create the first account. */
export function linkRoutes(deps: PanelDeps): Route[] {
  const { signInLinks, sessions, hasPasswords } = deps;
  const invalidLink = async () => {
    const isFirst = await signInLinks.isFirstAccountMissing();
    return new PanelError(
      410,
      (t) => t.link.invalid,
      (t) => (isFirst ? t.link.invalidFirst : t.link.invalidWhy),
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
    const { texts: t } = context;
    const [title, button] = hasPasswords
      ? [t.link.setYourPassword, t.link.setPassword]
      : [t.signIn.title, t.signIn.title];
    return page(
      context,
      title,
      <DoorCard
        title={isFirst ? t.link.createYours : title}
        text={isFirst ? t.link.isFirst : t.link.whatHappens({ email })}
      >
        <FormView form={linkForm(isFirst, hasPasswords)} to={context.url.pathname}>
          {!isFirst && <Username email={email} />}
          <Submit class="button primary large">{isFirst ? t.link.create : button}</Submit>
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
      await adoptLanguage(deps, context, result.session);
      const guessed = await adoptZone(deps, result.session, values.zone);
      return redirectTo(context, '/account', guessed, { tokens: result });
    }),
  ];
}
