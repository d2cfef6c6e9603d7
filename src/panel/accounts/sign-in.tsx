/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import { parseEmail } from '../../core/accounts/email.ts';
import type { Client, RejectedCode } from '../../core/accounts/sign-in/sign-in.ts';
import type { Said } from '../../languages/texts.ts';
import { waitOf } from '../../lib/numbers.ts';
import type { PanelDeps } from '../request/deps.ts';
import { ownPath } from '../request/own-path.ts';
import { audit, isSignedIn, type RequestContext } from '../request/request.ts';
import { PanelError } from '../routing/errors.tsx';
import { type PageResponse, page, redirectTo } from '../routing/responses.tsx';
import { anyone, type Route } from '../routing/route.ts';
import { DoorCard } from '../ui/cards.tsx';
import { Notice } from '../ui/components.tsx';
import { emailField, hiddenField } from '../ui/fields.tsx';
import { FormView, type InvalidForm, invalidField } from '../ui/form.tsx';
import { Submit } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { codeField, presentPasswordField } from './confirmation.ts';
import { DoneButton, ProviderButton, startOf } from './provider/pages.tsx';
import { guessedZoneField } from './time-zone.tsx';
import { enterPanel, type WayBack, wayBackFields } from './way-back.ts';

const signInForm = {
  ...wayBackFields,
  // Browsers refuse or rewrite some addresses of version 1.1 in a field for e-mail addresses.
  email: emailField({ parse: (text) => text, autofocus: true, type: 'text', inputMode: 'email' }),
  password: presentPasswordField((t) => t.fields.password),
  zone: guessedZoneField,
};

/** Below the button of a provider, which comes first. */
const signInFormBelow = {
  ...signInForm,
  email: emailField({ parse: (text) => text, type: 'text', inputMode: 'email' }),
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
  const { signIn, sessions, hasPasswords } = deps;
  const show = async (context: RequestContext) => showSignIn(context, deps);
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
        if (!hasPasswords) throw passwordsOff();
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
          return enterPanel(deps, context, result, wayBack);
        }
        // What was typed as e-mail may be a password.
        throw rejectedAt('password', context, result, (t) => t.signIn.wrong);
      },
    ),
    anyone.submit(
      '/account/sign-in/code',
      { form: codeForm, page: async (context) => showCode(context) },
      async (context, { proof, code, ...wayBack }) => {
        const result = await signIn.withCode({ proof, code, ...clientOf(context) });
        if (result.outcome === 'expired') {
          const again = { ...context, message: { kind: 'signInExpired' } as const };
          return showSignIn(again, deps, wayBack, 401);
        }
        if (result.outcome === 'signed in') {
          const { account, recoveryCodesLeft: left } = result;
          audit(context, 'signed in', {
            account,
            second_factor: left === null ? 'code' : 'recovery code',
          });
          const message = left === null ? undefined : ({ kind: 'recoveryCodeUsed', left } as const);
          return enterPanel(deps, context, result, wayBack, message);
        }
        const wrong: Said = (t) => panelSentence({ kind: 'wrong second factor' }, t);
        throw rejectedAt('code', context, result, wrong, { second_factor: true });
      },
    ),
    // A form whose session had ended is sent again, once that was done in another tab.
    anyone.post('/account/sign-in/done', async (context, form) =>
      isSignedIn(context)
        ? redirectTo(context, ownPath(form.text('next')), { kind: 'signedInAgain' })
        : showSignIn(context, deps, { next: ownPath(form.text('next')), again: 'form' }, 401),
    ),
    // Without a session, the browser is signed out already.
    anyone.post('/account/sign-out', async (context, form) => {
      const name = context.session?.isProvided ? deps.identities.provider?.name : undefined;
      if (context.sessionToken !== null) await sessions.end(context.sessionToken);
      const message =
        name === undefined
          ? ({ kind: 'signedOut' } as const)
          : ({ kind: 'signedOutHere', name } as const);
      const next = ownPath(form.text('next') || '/account/sign-in');
      return redirectTo(context, next, message, { isSignedOut: true });
    }),
  ];
}

/** Returns who makes an attempt to sign in. */
export function clientOf({ network, trustedBrowser, device, request }: RequestContext): Client {
  return { origin: network, trustedBrowser, device, signal: request.signal };
}

/**
 * Logs a rejected attempt to sign in, and returns the rejection of the field that has the secret.
 *
 * @param wrong says that the secret is wrong
 */
export function rejectedAt(
  field: string,
  context: RequestContext,
  rejected: RejectedCode,
  wrong: Said,
  details: { readonly second_factor?: boolean } = {},
): InvalidForm {
  const { outcome, account } = rejected;
  const throttled = outcome === 'wait';
  audit(context, 'sign-in failed', { account, throttled, ...details }, 'warn');
  switch (outcome) {
    case 'wrong':
      return invalidField(field, wrong);
    case 'unreadable':
      return invalidField(field, (t) => panelSentence({ kind: 'unreadable second factor' }, t));
    case 'wait': {
      const { seconds } = rejected;
      const text: Said = (t) => t.signIn.tooManyAttempts(waitOf(seconds));
      return invalidField(field, text, 429, { 'Retry-After': String(seconds) });
    }
  }
}

interface CodePageProps extends WayBack {
  /** That the password was right. */
  readonly proof: string;
}

/**
 * Renders the page that asks for a code of the second factor.
 * Without values, again with those that were sent.
 */
export function showCode(context: RequestContext, values?: CodePageProps): PageResponse {
  const text = (name: string) => context.rejected?.typed.text(name) ?? '';
  const { texts: t } = context;
  return page(
    context,
    t.signIn.title,
    <DoorCard title={t.signIn.oneMoreStep} text={t.signIn.passwordIsRight}>
      <FormView
        form={codeForm}
        to="/account/sign-in/code"
        values={values ?? { next: text('next'), again: text('again'), proof: text('proof') }}
      >
        <Submit class="button primary large">{t.signIn.title}</Submit>
        <p class="small soft">{t.signIn.noPhone}</p>
      </FormView>
    </DoorCard>,
  );
}

/** What the sign-in page shows depends on. */
type SignInDeps = Pick<PanelDeps, 'signInLinks' | 'identities' | 'hasPasswords'>;

/** Renders the sign-in page for a form whose session has ended: 401. The script shows it over the form. */
export function showSignInAgain(context: RequestContext, deps: SignInDeps): Promise<PageResponse> {
  const wayBack = { next: ownPath(context.url.pathname), again: 'form' };
  return showSignIn(context, deps, wayBack, 401);
}

/** Renders the sign-in page. */
async function showSignIn(
  context: RequestContext,
  { signInLinks, identities, hasPasswords }: SignInDeps,
  wayBack?: WayBack,
  status?: number,
): Promise<PageResponse> {
  const { rejected, url, texts: t } = context;
  const { provider } = identities;
  const again = wayBack?.again ?? rejected?.typed.text('again') ?? '';
  const next = ownPath(
    wayBack?.next ?? rejected?.typed.text('next') ?? url.searchParams.get('next'),
  );
  const isAgain = again !== '';
  return page(
    context,
    t.signIn.title,
    <DoorCard
      title={isAgain ? t.signIn.again : t.signIn.title}
      text={
        isAgain
          ? t.signIn.interrupted<ComponentChildren>({ dialog: inDialog, page: inPage })
          : t.signIn.codesKeepWorking
      }
    >
      {(await signInLinks.isFirstAccountMissing()) && (
        <Notice kind="warn" title={t.signIn.noAccountYet}>
          {t.signIn.createFirst}
        </Notice>
      )}
      {provider !== null && (
        <>
          {/* A link: browsers let no form be redirected to another site. */}
          <ProviderButton
            name={provider.name}
            to={startOf(next, isAgain ? 'again' : 'sign-in')}
            isInNewTab={isAgain}
          />
          {isAgain && (
            <DoneButton to="/account/sign-in/done" next={next}>
              {t.signIn.sendMyForm}
            </DoneButton>
          )}
        </>
      )}
      {provider !== null && hasPasswords && <div class="or">{t.signIn.orWithPassword}</div>}
      {hasPasswords ? (
        // In a tab of its own, so that Back leads from this answer to the form. The script needs none.
        <FormView
          form={provider === null ? signInForm : signInFormBelow}
          to="/account/sign-in"
          values={{ next, again }}
          target={isAgain ? '_blank' : undefined}
        >
          <Submit class={provider === null ? 'button primary large' : 'button large'}>
            {t.signIn.title}
          </Submit>
          <p class="small soft">{t.signIn.forgotIt}</p>
        </FormView>
      ) : (
        <p class="small soft">
          {t.signIn.atProvider<ComponentChildren>({
            host: provider?.host ?? '',
            b: (text) => <b>{text}</b>,
          })}
        </p>
      )}
    </DoorCard>,
    status,
  );
}

/** 403: the server has no passwords. */
export function passwordsOff(): PanelError {
  return new PanelError(
    403,
    (t) => t.signIn.noPasswords,
    (t) => t.signIn.noPasswordsWhy,
  );
}

/** Draws what is said of the form in a dialog, which keeps it. */
export const inDialog = (text: string) => <span class="in-dialog">{text}</span>;
/** Draws what is said of the form in a page, which replaces it. */
export const inPage = (text: string) => <span class="in-page">{text}</span>;
