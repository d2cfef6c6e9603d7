/** @jsxImportSource preact */
import { parseEmail } from '../../core/accounts/account.ts';
import { formatCount } from '../../lib/numbers.ts';
import type { PanelDeps } from '../deps.ts';
import { hiddenField, textField } from '../forms/fields.tsx';
import { FormView, invalidField } from '../forms/form.tsx';
import { audit } from '../request/audit.ts';
import { ownPath } from '../request/own-path.ts';
import { isSignedIn, type RequestContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route, signedIn } from '../routing/route.ts';
import { Notice } from '../ui/components.tsx';

const signInForm = {
  next: hiddenField(ownPath),
  email: textField({
    label: 'E-mail',
    parse: (text) => text,
    type: 'email',
    autocomplete: 'username',
    required: true,
    autofocus: true,
  }),
  password: textField({
    label: 'Password',
    parse: (text) => text,
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  }),
};

/** Creates the routes for signing in with a password and for signing out. */
export function signInRoutes({ signIn, signInLinks, sessions }: PanelDeps): Route[] {
  const show = async (context: RequestContext) => {
    const { rejected, url } = context;
    const next = ownPath(rejected?.typed.text('next') ?? url.searchParams.get('next'));
    const isFirstMissing = await signInLinks.isFirstAccountMissing();
    return page(context, 'Sign in', <SignInPage next={next} isFirstMissing={isFirstMissing} />);
  };
  const signedOut = (context: RequestContext) =>
    redirectTo(context, '/account/sign-in', { message: { kind: 'signedOut' }, isSignedOut: true });

  return [
    anyone.get('/account/sign-in', async (context) =>
      isSignedIn(context)
        ? redirectTo(context, ownPath(context.url.searchParams.get('next')))
        : show(context),
    ),
    anyone.submit(
      '/account/sign-in',
      { form: signInForm, page: show },
      async (context, { next, email, password }) => {
        const { network: origin, trustedBrowser, request } = context;
        const { signal } = request;
        const attempt = { email, password, origin, trustedBrowser, signal };
        const result = await signIn.withPassword(attempt);
        if (result.outcome === 'signed in') {
          if (context.sessionToken !== null) await sessions.end(context.sessionToken);
          audit(context, 'signed in', { account: parseEmail(email) });
          return redirectTo(context, next, { tokens: result });
        }
        const isThrottled = result.outcome === 'wait';
        // What was typed as e-mail may be a password.
        audit(
          context,
          'sign-in failed',
          { account: result.account, throttled: isThrottled },
          'warn',
        );
        if (!isThrottled) throw invalidField('password', 'Wrong e-mail or password.');
        const { seconds } = result;
        const wait = `Too many attempts. Wait ${formatCount(seconds, 'second')} and try again.`;
        throw invalidField('password', wait, 429, { 'Retry-After': String(seconds) });
      },
    ),
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
  readonly isFirstMissing: boolean;
}

function SignInPage({ next, isFirstMissing }: SignInProps) {
  return (
    <section class="card">
      <div class="stack close">
        <h1>Sign in</h1>
        <p class="soft">Your codes keep working while you’re away.</p>
      </div>
      {isFirstMissing && (
        <Notice kind="warn" title="There is no account yet">
          To create the first account, open the newest link in the log of this server.
        </Notice>
      )}
      <FormView form={signInForm} to="/account/sign-in" values={{ next }}>
        <button type="submit" class="button primary large">
          Sign in
        </button>
        <p class="small soft">
          Forgot it? Ask the operator of this server for a link to set a new one.
        </p>
      </FormView>
    </section>
  );
}
