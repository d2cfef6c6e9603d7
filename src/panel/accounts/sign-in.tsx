/** @jsxImportSource preact */
import { parseEmail } from '../../core/accounts/account.ts';
import type { SignInTokens } from '../../core/accounts/session.ts';
import type { SignInLinks } from '../../core/accounts/sign-in-link.ts';
import { formatCount } from '../../lib/numbers.ts';
import type { PanelDeps } from '../deps.ts';
import { audit } from '../request/audit.ts';
import { ownPath } from '../request/own-path.ts';
import { isSignedIn, type RequestContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route, signedIn } from '../routing/route.ts';
import { Notice } from '../ui/components.tsx';
import { hiddenField, textField } from '../ui/fields.tsx';
import { FormView, invalidField } from '../ui/form.tsx';

const signInForm = {
  next: hiddenField(ownPath),
  // A form whose session had ended.
  kept: hiddenField((text) => text),
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
export function signInRoutes(
  { signIn, signInLinks, sessions }: PanelDeps,
  resend: (context: RequestContext, tokens: SignInTokens, kept: string) => Promise<Response | null>,
): Route[] {
  const show = async (context: RequestContext) => showSignIn(context, signInLinks);
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
      async (context, { next, kept, email, password }) => {
        const { network: origin, trustedBrowser, request } = context;
        const { signal } = request;
        const attempt = { email, password, origin, trustedBrowser, signal };
        const result = await signIn.withPassword(attempt);
        if (result.outcome === 'signed in') {
          if (context.sessionToken !== null) await sessions.end(context.sessionToken);
          audit(context, 'signed in', { account: parseEmail(email) });
          const resent = kept === '' ? null : await resend(context, result, kept);
          return resent ?? redirectTo(context, next, { tokens: result });
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
    // The script asks before it sends a form.
    anyone.get('/account/session', async ({ session }) =>
      Response.json({ csrf: session?.csrfToken ?? null }),
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

/** Renders the sign-in page. */
export async function showSignIn(
  context: RequestContext,
  signInLinks: Pick<SignInLinks, 'isFirstAccountMissing'>,
  keptForm?: string,
): Promise<Response> {
  const { rejected, url } = context;
  const kept = keptForm ?? rejected?.typed.text('kept') ?? '';
  const next = ownPath(
    keptForm === undefined
      ? (rejected?.typed.text('next') ?? url.searchParams.get('next'))
      : url.pathname,
  );
  const isFirstMissing = await signInLinks.isFirstAccountMissing();
  return page(
    context,
    'Sign in',
    <SignInPage values={{ next, kept }} isFirstMissing={isFirstMissing} />,
    keptForm === undefined ? undefined : 401,
  );
}

interface SignInProps {
  /** Where to go after signing in, and the form to send again. */
  readonly values: { readonly next: string; readonly kept: string };
  readonly isFirstMissing: boolean;
}

function SignInPage({ values, isFirstMissing }: SignInProps) {
  const isAgain = values.kept !== '';
  return (
    <section class="card">
      <div class="stack close">
        <h1>{isAgain ? 'Sign in again' : 'Sign in'}</h1>
        <p class="soft">
          {isAgain
            ? 'Your session has ended. Your changes are kept.'
            : 'Your codes keep working while you’re away.'}
        </p>
      </div>
      {isFirstMissing && (
        <Notice kind="warn" title="There is no account yet">
          To create the first account, open the newest link in the log of this server.
        </Notice>
      )}
      <FormView form={signInForm} to="/account/sign-in" values={values}>
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
