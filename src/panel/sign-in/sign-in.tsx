/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { parseEmail } from '../../core/accounts/account.ts';
import type { PanelDeps } from '../deps.ts';
import { audit } from '../routing/audit.ts';
import {
  endedSessionCookie,
  isSignedIn,
  type RequestContext,
  signInCookies,
} from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route, safeNext, signedIn } from '../routing/route.ts';
import { Notice } from '../ui/components.tsx';
import { Field } from '../ui/fields.tsx';
import { Form } from '../ui/page-context.tsx';

/** Creates the routes for signing in with a password and for signing out. */
export function signInRoutes({ signIn, links, sessions }: PanelDeps): Route[] {
  const signedOut = (context: RequestContext) =>
    redirectTo(context, '/account/sign-in?done=signed-out', [endedSessionCookie(context.isSecure)]);

  return [
    anyone.get('/account/sign-in', async (context) => {
      const query = context.url.searchParams;
      const next = safeNext(query.get('next'));
      if (isSignedIn(context)) return redirectTo(context, next);
      return page(
        context,
        'Sign in',
        <SignInPage next={next}>
          {query.has('ended') && (
            <Notice kind="warning" title="Your session has ended">
              Nothing was changed. Sign in and fill in the form again.
            </Notice>
          )}
          {(await links.isFirstAccountMissing()) && (
            <Notice kind="warning" title="There is no account yet">
              To create the first account, open the newest link in the log of this server.
            </Notice>
          )}
        </SignInPage>,
      );
    }),
    anyone.post('/account/sign-in', async (context, form) => {
      const email = form.text('email');
      const next = safeNext(form.text('next'));
      const result = await signIn.withPassword({
        email,
        password: form.text('password'),
        origin: context.network,
        trustedBrowser: context.trustedBrowser,
      });
      if (result.outcome === 'signed in') {
        if (context.sessionToken !== null) await sessions.end(context.sessionToken);
        audit(context, 'signed in', { account: parseEmail(email) });
        return redirectTo(context, next, signInCookies(result, context.isSecure));
      }
      const isThrottled = result.outcome === 'wait';
      const { account } = result;
      // What was typed as e-mail may be a password.
      audit(context, 'sign-in failed', { account, throttled: isThrottled }, 'warn');
      const problem = isThrottled
        ? `Too many attempts. Wait ${result.seconds} seconds and try again.`
        : 'Wrong e-mail or password.';
      const response = page(
        context,
        'Sign in',
        <SignInPage next={next} email={email}>
          <Notice kind="bad" title={problem} />
        </SignInPage>,
        isThrottled ? 429 : 422,
      );
      if (isThrottled) response.headers.set('Retry-After', String(result.seconds));
      return response;
    }),
    // Without a session, the browser is signed out already.
    anyone.post('/account/sign-out', async (context) => {
      if (context.sessionToken !== null) await sessions.end(context.sessionToken);
      return signedOut(context);
    }),
    signedIn.post('/account/sign-out-everywhere', async (context) => {
      audit(context, 'signed out everywhere');
      await sessions.endAll(context.session.account.id);
      return signedOut(context);
    }),
  ];
}

interface SignInProps {
  /** Where to go after signing in. */
  readonly next: string;
  readonly email?: string;
  readonly children: ComponentChildren;
}

function SignInPage({ next, email = '', children }: SignInProps) {
  return (
    <section class="card narrow">
      <h1>Sign in</h1>
      <p>Manage your QR codes, their design and your API key.</p>
      {children}
      <Form to="/account/sign-in" class="stack">
        <input type="hidden" name="next" value={next} />
        <Field
          id="email"
          label="E-mail"
          type="email"
          value={email}
          autocomplete="username"
          required
          autofocus={email === ''}
        />
        <Field
          id="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={email !== ''}
        />
        <button type="submit">Sign in</button>
      </Form>
      <p class="hint">
        Forgot your password? Ask the operator of this server for a link to set a new one.
      </p>
    </section>
  );
}
