/** @jsxImportSource preact */
import type { Account } from '../../core/accounts/account.ts';
import { minPasswordLength } from '../../core/accounts/password.ts';
import { sessionIdleLimitMs, sessionMaxAgeMs } from '../../core/accounts/session.ts';
import type { PanelDeps } from '../deps.ts';
import { audit } from '../routing/audit.ts';
import { PanelError } from '../routing/errors.tsx';
import { signInCookies } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Fact, PlanExpiry, Time } from '../ui/components.tsx';
import { Field, Username } from '../ui/fields.tsx';
import { Form } from '../ui/page-context.tsx';

/** Creates the routes for the account's own password and sessions. */
export function settingsRoutes({ signIn }: PanelDeps): Route[] {
  return [
    signedIn.get('/account/settings', async (context) =>
      page(context, 'Settings', <SettingsPage account={context.session.account} />),
    ),
    signedIn.post('/account/settings/password', async (context, form) => {
      const { account } = context.session;
      const result = await signIn.changePassword(account, form.text('present'), form.text('next'));
      if ('problem' in result) audit(context, 'password change failed', {}, 'warn');
      else audit(context, 'password changed');
      if ('problem' in result)
        throw new PanelError(422, 'The password was not changed', result.problem);
      const cookies = signInCookies(result, context.isSecure);
      return redirectTo(context, '/account/settings?done=password', cookies);
    }),
  ];
}

function SettingsPage({ account }: { account: Account }) {
  return (
    <>
      <h1>Settings</h1>
      <dl class="facts">
        <Fact name="E-mail">{account.email}</Fact>
        <Fact name="Plan">
          <PlanExpiry account={account} />
        </Fact>
        <Fact name="Created">
          <Time ms={account.createdAtMs} />
        </Fact>
      </dl>
      <div class="columns">
        <PasswordForm email={account.email} />
        <section class="card">
          <h2>Sign out</h2>
          <p>
            A session ends after {sessionIdleLimitMs / 3_600_000} hours without use, and after{' '}
            {sessionMaxAgeMs / 86_400_000} days at the latest.
          </p>
          <Form to="/account/sign-out-everywhere">
            <button type="submit" class="quiet">
              Sign out everywhere
            </button>
          </Form>
        </section>
      </div>
    </>
  );
}

function PasswordForm({ email }: { email: string }) {
  return (
    <section class="card">
      <h2>Change password</h2>
      <Form to="/account/settings/password" class="stack">
        <Username email={email} />
        <Field
          id="present"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
        />
        <Field
          id="next"
          label="New password"
          hint={`At least ${minPasswordLength} characters.`}
          type="password"
          autocomplete="new-password"
          minLength={minPasswordLength}
          required
        />
        <button type="submit">Change password</button>
        <p class="hint">You stay signed in here and are signed out everywhere else.</p>
      </Form>
    </section>
  );
}
