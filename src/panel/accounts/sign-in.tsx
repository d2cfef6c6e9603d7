/** @jsxImportSource preact */
import { parseEmail } from '../../core/accounts/account.ts';
import type { SignInTokens } from '../../core/accounts/session.ts';
import { type Client, wrongCode } from '../../core/accounts/sign-in.ts';
import type { SignInLinks } from '../../core/accounts/sign-in-link.ts';
import { formatCount } from '../../lib/numbers.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { Message } from '../request/messages.ts';
import { ownPath } from '../request/own-path.ts';
import { audit, isSignedIn, type RequestContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route } from '../routing/route.ts';
import { DoorCard } from '../ui/cards.tsx';
import { Notice } from '../ui/components.tsx';
import { emailField, hiddenField } from '../ui/fields.tsx';
import { FormView, invalidField } from '../ui/form.tsx';
import { Submit } from '../ui/page-context.tsx';
import { codeField, presentPasswordField } from './confirmation.ts';

const signInForm = {
  next: hiddenField(ownPath),
  // A form whose session had ended.
  kept: hiddenField((text) => text),
  // Browsers refuse or rewrite some addresses of version 1.1 in a field for e-mail addresses.
  email: emailField({ parse: (text) => text, autofocus: true, type: 'text', inputMode: 'email' }),
  password: presentPasswordField('Password'),
};

/** The second step, for accounts with a second factor. */
const codeForm = {
  next: hiddenField(ownPath),
  kept: hiddenField((text) => text),
  proof: hiddenField((text) => text),
  code: codeField(undefined, true),
};

/** Creates the routes for signing in with a password and for signing out. */
export function signInRoutes(
  { signIn, signInLinks, sessions }: PanelDeps,
  resend: (context: RequestContext, tokens: SignInTokens, kept: string) => Promise<Response | null>,
): Route[] {
  const show = async (context: RequestContext) => showSignIn(context, signInLinks);
  /** Signs the browser in, and sends a form again whose session had ended. */
  const enter = async (
    context: RequestContext,
    tokens: SignInTokens,
    next: string,
    kept: string,
    message?: Message,
  ) => {
    if (context.sessionToken !== null) await sessions.end(context.sessionToken);
    const resent = kept === '' ? null : await resend(context, tokens, kept);
    return resent ?? redirectTo(context, next, message, { tokens });
  };

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
        const result = await signIn.withPassword({ email, password, ...clientOf(context) });
        if (result.outcome === 'code needed') {
          audit(context, 'second factor asked for', { account: parseEmail(email) });
          return showCode(context, { next, kept, proof: result.proof });
        }
        if (result.outcome === 'signed in') {
          audit(context, 'signed in', { account: parseEmail(email) });
          return enter(context, result, next, kept);
        }
        // What was typed as e-mail may be a password.
        const { account } = result;
        const throttled = result.outcome === 'wait';
        audit(context, 'sign-in failed', { account, throttled }, 'warn');
        throw result.outcome === 'wait'
          ? waitAt('password', result.seconds)
          : invalidField('password', 'Wrong e-mail or password.');
      },
    ),
    anyone.submit(
      '/account/sign-in/code',
      { form: codeForm, page: async (context) => showCode(context) },
      async (context, { next, kept, proof, code }) => {
        const result = await signIn.withCode({ proof, code, ...clientOf(context) });
        if (result.outcome === 'expired') {
          const again = { ...context, message: { kind: 'signInExpired' } as const };
          return showSignIn(again, signInLinks, { next, kept });
        }
        const { account } = result;
        if (result.outcome === 'signed in') {
          const { recoveryCodesLeft: left } = result;
          audit(context, 'signed in', {
            account,
            second_factor: left === null ? 'code' : 'recovery code',
          });
          const message = left === null ? undefined : ({ kind: 'recoveryCodeUsed', left } as const);
          return enter(context, result, next, kept, message);
        }
        const throttled = result.outcome === 'wait';
        audit(context, 'sign-in failed', { account, throttled, second_factor: true }, 'warn');
        throw result.outcome === 'wait'
          ? waitAt('code', result.seconds)
          : invalidField('code', wrongCode);
      },
    ),
    // The script asks before it sends a form.
    anyone.get('/account/session', async ({ session }) =>
      Response.json({ csrf: session?.csrfToken ?? null }),
    ),
    // Without a session, the browser is signed out already.
    anyone.post('/account/sign-out', async (context) => {
      if (context.sessionToken !== null) await sessions.end(context.sessionToken);
      return redirectTo(context, '/account/sign-in', { kind: 'signedOut' }, { isSignedOut: true });
    }),
  ];
}

/** Returns who makes an attempt to sign in. */
export function clientOf({ network, trustedBrowser, device, request }: RequestContext): Client {
  return { origin: network, trustedBrowser, device, signal: request.signal };
}

/** Rejects a field because of too many attempts. */
function waitAt(field: string, seconds: number) {
  const text = `Too many attempts. Wait ${formatCount(seconds, 'second')} and try again.`;
  return invalidField(field, text, 429, { 'Retry-After': String(seconds) });
}

interface CodePageProps {
  /** Where to go after signing in. */
  readonly next: string;
  /** The form to send again, or an empty text. */
  readonly kept: string;
  /** That the password was right. */
  readonly proof: string;
}

/** Renders the page that asks for a code of the second factor. Without values, again with those that were sent. */
export function showCode(context: RequestContext, values?: CodePageProps): Response {
  const text = (name: string) => context.rejected?.typed.text(name) ?? '';
  return page(
    context,
    'Sign in',
    <DoorCard
      title="One more step"
      text="Your password is right. Your account has a second factor."
    >
      <FormView
        form={codeForm}
        to="/account/sign-in/code"
        values={values ?? { next: text('next'), kept: text('kept'), proof: text('proof') }}
      >
        <Submit class="button primary large">Sign in</Submit>
        <p class="small soft">
          No phone and no recovery code? Ask the operator of this server to turn it off.
        </p>
      </FormView>
    </DoorCard>,
  );
}

/** Renders the sign-in page. */
export async function showSignIn(
  context: RequestContext,
  signInLinks: Pick<SignInLinks, 'isFirstAccountMissing'>,
  again?: Omit<CodePageProps, 'proof'>,
): Promise<Response> {
  const { rejected, url } = context;
  const kept = again?.kept ?? rejected?.typed.text('kept') ?? '';
  const next = ownPath(again?.next ?? rejected?.typed.text('next') ?? url.searchParams.get('next'));
  const isAgain = kept !== '';
  return page(
    context,
    'Sign in',
    <DoorCard
      title={isAgain ? 'Sign in again' : 'Sign in'}
      text={
        isAgain
          ? 'Your session has ended. Your changes are kept.'
          : 'Your codes keep working while you’re away.'
      }
    >
      {(await signInLinks.isFirstAccountMissing()) && (
        <Notice kind="warn" title="There is no account yet">
          To create the first account, open the newest link in the log of this server.
        </Notice>
      )}
      <FormView form={signInForm} to="/account/sign-in" values={{ next, kept }}>
        <Submit class="button primary large">Sign in</Submit>
        <p class="small soft">
          Forgot it? Ask the operator of this server for a link to set a new one.
        </p>
      </FormView>
    </DoorCard>,
    again === undefined ? undefined : 401,
  );
}
