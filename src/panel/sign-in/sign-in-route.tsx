/** @jsxImportSource preact */
import type { SignInTokens } from '../../core/accounts/session.ts';
import type { PanelDeps } from '../deps.ts';
import { forget, signInCookies } from '../routing/cookies.ts';
import { safeNext } from '../routing/csrf.ts';
import { PanelError } from '../routing/errors.ts';
import { isSignedIn, type RequestContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { LinkPage, SignInPage } from './sign-in-page.tsx';

/** Where the form goes that ends a session. */
export const signOutPath = '/account/sign-out';

/** Coming in and going out. */
export function signInRoutes({ signIn, links, sessions }: PanelDeps): Route[] {
  const deadLink = async (): Promise<PanelError> =>
    (await links.isFirstAccountMissing())
      ? new PanelError(
          410,
          'This link is out of date',
          'It has expired or was replaced. The newest link for the first account stands in the log of this server.',
        )
      : new PanelError(
          410,
          'This link is used up',
          'It worked once, has expired, was replaced, or the password has been changed since. Ask the operator of this server for a new one.',
        );
  /** Ends the session that the browser had, whose token it loses, and begins the new one. */
  const signInWith = async (
    context: RequestContext,
    tokens: SignInTokens,
    path: string,
  ): Promise<Response> => {
    if (context.sessionToken !== null) await sessions.end(context.sessionToken);
    return redirectTo(context, path, signInCookies(tokens, context.secure));
  };

  return [
    {
      method: 'GET',
      path: '/account/sign-in',
      who: 'anyone',
      answer: async (context) => {
        const next = safeNext(context.url.searchParams.get('next'));
        if (isSignedIn(context)) return redirectTo(context, next);
        const query = context.url.searchParams;
        return page(
          context,
          { title: 'Sign in' },
          <SignInPage
            next={next}
            signedOut={query.has('signedOut')}
            ended={query.has('ended')}
            first={await links.isFirstAccountMissing()}
          />,
        );
      },
    },
    {
      method: 'POST',
      path: '/account/sign-in',
      who: 'anyone',
      answer: async (context, _params, form) => {
        const email = form.text('email');
        const next = safeNext(form.text('next'));
        const { origin, device } = context;
        const tried = await signIn.withPassword({
          email,
          password: form.text('password'),
          origin,
          trustedBrowser: device,
        });
        if (tried.outcome === 'signed in') return signInWith(context, tried, next);
        const waits = tried.outcome === 'wait';
        const problem = waits
          ? `Too many attempts. Wait ${tried.seconds} seconds and try again.`
          : 'Wrong e-mail or password.';
        return page(
          context,
          {
            title: 'Sign in',
            status: waits ? 429 : 422,
            ...(waits && { headers: { 'Retry-After': String(tried.seconds) } }),
          },
          <SignInPage next={next} email={email} problem={problem} />,
        );
      },
    },
    {
      method: 'POST',
      path: signOutPath,
      who: 'signed-in',
      answer: async (context) => {
        await sessions.end(context.sessionToken);
        return signedOut(context);
      },
    },
    {
      method: 'POST',
      path: '/account/sign-out-everywhere',
      who: 'signed-in',
      answer: async (context) => {
        await sessions.endAll(context.session.account.id);
        return signedOut(context);
      },
    },
    {
      method: 'GET',
      path: '/account/link/:token',
      who: 'anyone',
      answer: async (context, params) => {
        const token = params['token'] ?? '';
        const found = await links.find(token);
        if (found === null) throw await deadLink();
        const email = found.account?.email ?? null;
        return page(context, { title: linkTitle(email) }, <LinkPage token={token} email={email} />);
      },
    },
    {
      method: 'POST',
      path: '/account/link/:token',
      who: 'anyone',
      answer: async (context, params, form) => {
        const token = params['token'] ?? '';
        const found = await links.find(token);
        if (found === null) throw await deadLink();
        const email = found.account?.email ?? null;
        const typedEmail = form.text('email');
        const password = form.text('password');
        const redeemed = await links.redeem(token, password, typedEmail);
        if (redeemed.outcome === 'gone') throw await deadLink();
        if (redeemed.outcome === 'signed in') return signInWith(context, redeemed, '/account');
        return page(
          context,
          { title: linkTitle(email), status: 422 },
          <LinkPage token={token} email={email} typedEmail={typedEmail} refused={redeemed} />,
        );
      },
    },
  ];
}

/** Says that nobody is signed in any more, also where the session had ended by itself. */
export function signedOut(context: RequestContext): Response {
  return redirectTo(context, '/account/sign-in?signedOut=1', [forget('session', context.secure)]);
}

function linkTitle(email: string | null): string {
  return email === null ? 'Welcome' : 'Set your password';
}
