/** @jsxImportSource preact */

import { parseEmail } from '../../core/accounts/account.ts';
import { minPasswordLength } from '../../core/accounts/password.ts';
import type { PanelDeps } from '../deps.ts';
import { audit } from '../routing/audit.ts';
import { PanelError } from '../routing/errors.tsx';
import { signInCookies } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route } from '../routing/route.ts';
import { Field, Username } from '../ui/fields.tsx';
import { Form } from '../ui/page-context.tsx';

/** Creates the routes of one-time links, which set a password or create the first account. */
export function linkRoutes({ links, sessions }: PanelDeps): Route[] {
  const invalidLink = async () => {
    const fix = (await links.isFirstAccountMissing())
      ? 'To create the first account, open the newest link in the log of this server.'
      : 'Ask the operator of this server for a new one.';
    return new PanelError(
      410,
      'This link is no longer valid',
      `It was used, has expired, was replaced, or the password has been changed since. ${fix}`,
    );
  };

  return [
    anyone.get('/account/link/:token', async (context) => {
      const { token = '' } = context.params;
      const link = await links.find(token);
      if (link === null) throw await invalidLink();
      const email = link.account?.email ?? null;
      return page(context, 'Set password', <LinkPage token={token} email={email} />);
    }),
    anyone.post('/account/link/:token', async (context, form) => {
      const { token = '' } = context.params;
      const password = form.text('password');
      const link = await links.find(token);
      const result = await links.redeem(token, password, form.text('email'));
      if (result.outcome === 'gone') throw await invalidLink();
      if (result.outcome === 'problem')
        throw new PanelError(422, 'Nothing was saved', result.message);
      if (context.sessionToken !== null) await sessions.end(context.sessionToken);
      const account = link?.account?.email ?? parseEmail(form.text('email'));
      audit(context, 'password set with a one-time link', { account });
      return redirectTo(context, '/account', signInCookies(result, context.isSecure));
    }),
  ];
}

interface LinkPageProps {
  readonly token: string;
  /** E-mail of the account, or null for the first account. */
  readonly email: string | null;
}

function LinkPage({ token, email }: LinkPageProps) {
  const isFirst = email === null;
  return (
    <section class="card narrow">
      <h1>{isFirst ? 'Welcome to Waymark' : 'Set your password'}</h1>
      <p>
        {isFirst
          ? 'Create the first account. It is an operator: it can create accounts for others.'
          : `For ${email}. You will be signed in here and signed out everywhere else.`}
      </p>
      <Form to={`/account/link/${token}`} class="stack">
        {isFirst ? (
          <Field
            id="email"
            label="E-mail"
            hint="You sign in with it. No e-mail is sent."
            type="email"
            autocomplete="username"
            required
            autofocus
          />
        ) : (
          <Username email={email} />
        )}
        <Field
          id="password"
          label="Password"
          hint={`At least ${minPasswordLength} characters. A few unrelated words are easy to remember.`}
          type="password"
          autocomplete="new-password"
          minLength={minPasswordLength}
          required
          autofocus={!isFirst}
        />
        <button type="submit">{isFirst ? 'Create account' : 'Set password'}</button>
      </Form>
    </section>
  );
}
