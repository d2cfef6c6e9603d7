/** @jsxImportSource preact */

import { parseAccountId, parseEmail } from '../../core/accounts/account.ts';
import type { SignInTokens } from '../../core/accounts/session.ts';
import type { Client } from '../../core/accounts/sign-in.ts';
import type { SignInLinks } from '../../core/accounts/sign-in-link.ts';
import { formatWait } from '../../lib/numbers.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { Message } from '../request/messages.ts';
import { ownPath } from '../request/own-path.ts';
import { audit, isSignedIn, type RequestContext } from '../request/request.ts';
import { type PageResponse, page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route } from '../routing/route.ts';
import { DoorCard } from '../ui/cards.tsx';
import { Notice } from '../ui/components.tsx';
import { emailField, hiddenField } from '../ui/fields.tsx';
import { FormView, invalidField, type Values } from '../ui/form.tsx';
import { Submit } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { codeField, presentPasswordField } from './confirmation.ts';
import { adoptZone, guessedZoneField } from './time-zone.tsx';

/**
 * Where signing in leads, and which form it interrupted: the account that the form names, `form` if that is not known,
 * or empty for none.
 */
const wayBackFields = { next: hiddenField(ownPath), again: hiddenField((text) => text) };

const signInForm = {
  ...wayBackFields,
  // Browsers refuse or rewrite some addresses of version 1.1 in a field for e-mail addresses.
  email: emailField({ parse: (text) => text, autofocus: true, type: 'text', inputMode: 'email' }),
  password: presentPasswordField('Password'),
  zone: guessedZoneField,
};

/** The second step, for accounts with a second factor. */
const codeForm = {
  ...wayBackFields,
  proof: hiddenField((text) => text),
  code: codeField(undefined, true),
  zone: guessedZoneField,
};

/** Creates the routes for signing in with a password and for signing out. */
export function signInRoutes(deps: PanelDeps): Route[] {
  const { signIn, signInLinks, sessions } = deps;
  const show = async (context: RequestContext) => showSignIn(context, signInLinks);
  /** Signs the browser in. */
  const enter = async (
    context: RequestContext,
    tokens: SignInTokens,
    { next, again, zone }: WayBack & { readonly zone: string | null },
    important?: Message,
  ) => {
    if (context.sessionToken !== null) await sessions.end(context.sessionToken);
    const guessed = await adoptZone(deps, tokens.session, zone);
    const message = important ?? guessed;
    if (again === '') return redirectTo(context, next, message, { tokens });
    const accountId = parseAccountId(again);
    if (accountId !== null && !(await sessions.enter(tokens.session, accountId))) {
      const email = (await sessions.find(tokens.session))?.person.email ?? '';
      return redirectTo(context, '/account', { kind: 'signedInAsOther', email }, { tokens });
    }
    return redirectTo(context, next, message ?? { kind: 'signedInAgain' }, { tokens });
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
      async (context, { email, password, ...wayBack }) => {
        const result = await signIn.withPassword({ email, password, ...clientOf(context) });
        if (result.outcome === 'code needed') {
          audit(context, 'second factor asked for', { account: parseEmail(email) });
          return showCode(context, {
            next: wayBack.next,
            again: wayBack.again,
            proof: result.proof,
          });
        }
        if (result.outcome === 'signed in') {
          audit(context, 'signed in', { account: parseEmail(email) });
          return enter(context, result, wayBack);
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
      async (context, { proof, code, ...wayBack }) => {
        const result = await signIn.withCode({ proof, code, ...clientOf(context) });
        if (result.outcome === 'expired') {
          const again = { ...context, message: { kind: 'signInExpired' } as const };
          return showSignIn(again, signInLinks, wayBack, 401);
        }
        const { account } = result;
        if (result.outcome === 'signed in') {
          const { recoveryCodesLeft: left } = result;
          audit(context, 'signed in', {
            account,
            second_factor: left === null ? 'code' : 'recovery code',
          });
          const message = left === null ? undefined : ({ kind: 'recoveryCodeUsed', left } as const);
          return enter(context, result, wayBack, message);
        }
        const throttled = result.outcome === 'wait';
        audit(context, 'sign-in failed', { account, throttled, second_factor: true }, 'warn');
        if (result.outcome === 'wait') throw waitAt('code', result.seconds);
        const kind =
          result.outcome === 'unreadable' ? 'unreadable second factor' : 'wrong second factor';
        throw invalidField('code', panelSentence({ kind }));
      },
    ),
    // Without a session, the browser is signed out already.
    anyone.post('/account/sign-out', async (context, form) => {
      if (context.sessionToken !== null) await sessions.end(context.sessionToken);
      const next = ownPath(form.text('next') || '/account/sign-in');
      return redirectTo(context, next, { kind: 'signedOut' }, { isSignedOut: true });
    }),
  ];
}

/** Returns who makes an attempt to sign in. */
export function clientOf({ network, trustedBrowser, device, request }: RequestContext): Client {
  return { origin: network, trustedBrowser, device, signal: request.signal };
}

/** Rejects a field because of too many attempts. */
function waitAt(field: string, seconds: number) {
  const text = `Too many attempts. Wait ${formatWait(seconds)} and try again.`;
  return invalidField(field, text, 429, { 'Retry-After': String(seconds) });
}

/** See {@link wayBackFields}. */
type WayBack = Values<typeof wayBackFields>;

interface CodePageProps extends WayBack {
  /** That the password was right. */
  readonly proof: string;
}

/** Renders the page that asks for a code of the second factor. Without values, again with those that were sent. */
export function showCode(context: RequestContext, values?: CodePageProps): PageResponse {
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
        values={values ?? { next: text('next'), again: text('again'), proof: text('proof') }}
      >
        <Submit class="button primary large">Sign in</Submit>
        <p class="small soft">
          No phone and no recovery code? Ask the operator of this server to turn it off.
        </p>
      </FormView>
    </DoorCard>,
  );
}

/** Renders the sign-in page for a form whose session has ended: 401. The script shows it over the form. */
export function showSignInAgain(
  context: RequestContext,
  signInLinks: Pick<SignInLinks, 'isFirstAccountMissing'>,
): Promise<PageResponse> {
  const wayBack = { next: ownPath(context.url.pathname), again: 'form' };
  return showSignIn(context, signInLinks, wayBack, 401);
}

/** Renders the sign-in page. */
async function showSignIn(
  context: RequestContext,
  signInLinks: Pick<SignInLinks, 'isFirstAccountMissing'>,
  wayBack?: WayBack,
  status?: number,
): Promise<PageResponse> {
  const { rejected, url } = context;
  const again = wayBack?.again ?? rejected?.typed.text('again') ?? '';
  const next = ownPath(
    wayBack?.next ?? rejected?.typed.text('next') ?? url.searchParams.get('next'),
  );
  return page(
    context,
    'Sign in',
    <DoorCard
      title={again === '' ? 'Sign in' : 'Sign in again'}
      text={again === '' ? 'Your codes keep working while you’re away.' : <Interrupted />}
    >
      {(await signInLinks.isFirstAccountMissing()) && (
        <Notice kind="warn" title="There is no account yet">
          To create the first account, open the newest link in the log of this server.
        </Notice>
      )}
      {/* In a tab of its own, so that Back leads from this answer to the form. The script needs none. */}
      <FormView
        form={signInForm}
        to="/account/sign-in"
        values={{ next, again }}
        target={again === '' ? undefined : '_blank'}
      >
        <Submit class="button primary large">Sign in</Submit>
        <p class="small soft">
          Forgot it? Ask the operator of this server for a link to set a new one.
        </p>
      </FormView>
    </DoorCard>,
    status,
  );
}

/** Says what happens to the form: a dialog is over it, and a page has taken its place. */
function Interrupted() {
  return (
    <>
      Your session has ended. <span class="in-dialog">Your changes are kept.</span>
      <span class="in-page">Nothing was changed. Sign in, then press Back.</span>
    </>
  );
}
