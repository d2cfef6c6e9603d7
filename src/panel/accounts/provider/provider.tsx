/** @jsxImportSource preact */

import { hashToken } from '../../../core/accounts/session.ts';
import type { IdentityResult } from '../../../core/accounts/sign-in/identities.ts';
import {
  type IdentityProvider,
  type ProvidedPerson,
  ProviderFailure,
} from '../../../core/accounts/sign-in/provider.ts';
import {
  beginFlow,
  type Flow,
  type FlowPurpose,
  readFlow,
} from '../../../core/accounts/sign-in/provider-flow.ts';
import { waitOf } from '../../../lib/numbers.ts';
import type { PanelDeps } from '../../request/deps.ts';
import { isSameText } from '../../request/messages.ts';
import { ownPath } from '../../request/own-path.ts';
import {
  audit,
  isSignedIn,
  type PersonContext,
  type RequestContext,
  requirePerson,
  setCookie,
} from '../../request/request.ts';
import { PanelError, pageNotFound } from '../../routing/errors.tsx';
import { page, redirectTo } from '../../routing/responses.tsx';
import { anyone, person, type Route } from '../../routing/route.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { hiddenField } from '../../ui/fields.tsx';
import {
  otherPersonSentence,
  problemSentence,
  refusalCommand,
  refusalSentence,
} from '../../ui/sentences/provider.ts';
import { showConfirm } from '../confirm.tsx';
import { clientOf, rejectedAt } from '../sign-in.tsx';
import { enterPanel } from '../way-back.ts';
import { finishForm, showMore, showNotLetIn, showProblem, startOf, startPath } from './pages.tsx';

const connectPath = '/account/settings/identity';
// With the other cookies of a browser, a longer one would not fit into the headers of a request.
const maxNextLength = 1500;
const referenceBytes = 3;

const connectForm = { proof: hiddenField((text) => text) };

/** Creates the routes that sign in with an OpenID Connect provider, and connect it with an account. */
export function providerRoutes(deps: PanelDeps): Route[] {
  const { identities, signIn, sessions, people, clock, randomBytes, hasPasswords } = deps;
  const provided = (): IdentityProvider => {
    if (identities.provider === null) throw pageNotFound();
    return identities.provider;
  };

  /** Logs why somebody is not signed in, and returns the reference that the page shows. */
  const logFailure = (context: RequestContext, code: string, detail: string): string => {
    const reference = randomBytes(referenceBytes).toHex();
    const details = { problem: code, detail, reference };
    audit(context, 'sign-in with the provider failed', details, 'warn');
    return reference;
  };

  /** @param pathOf returns where it begins again */
  const failed = async (
    context: RequestContext,
    error: unknown,
    pathOf: (isOtherLogin: boolean) => string,
  ) => {
    if (!(error instanceof ProviderFailure)) throw error;
    const { problem, code, message } = error;
    const isWrong = problem === 'wrong answer' || problem === 'code used';
    if (isWrong) await signIn.countFailureOf(context.network);
    const isDown = problem === 'unreachable' || problem === 'slow';
    const status = isDown ? 503 : isWrong ? 400 : 403;
    const said = problemSentence(problem, provided(), context.texts);
    const reference = logFailure(context, code, message);
    const again = pathOf(said.isOtherLogin === true);
    return showProblem(context, { said, status, again, code, reference, hasPasswords });
  };

  /** Begins a sign-in. */
  const begin = async (context: RequestContext) => {
    const { searchParams } = context.url;
    const named = searchParams.get('purpose');
    const purpose: FlowPurpose =
      named === 'again' || named === 'connect' || named === 'confirm' ? named : 'sign-in';
    const isOwn = purpose === 'connect' || purpose === 'confirm';
    if (isOwn && !isSignedIn(context)) return redirectTo(context, '/account/sign-in');
    const path = ownPath(searchParams.get('next'));
    const next = path.length <= maxNextLength ? path : '/account';
    const other = searchParams.get('other') === 'yes' ? 'select_account' : null;
    const prompt = purpose === 'confirm' ? 'login' : other;
    return ask(context, { purpose, next, prompt, scopes: 'all' });
  };

  /** Sends the browser to the provider. */
  const ask = async (context: RequestContext, flow: Flow) => {
    const { cookie, secrets } = beginFlow(flow, randomBytes, clock.nowMs());
    try {
      const to = await provided().signInUrl(secrets, flow.prompt, flow.scopes);
      const headers = { Location: to, 'Set-Cookie': setCookie('oidc', cookie, context.isSecure) };
      return new Response(null, { status: 303, headers });
    } catch (error) {
      return failed(context, error, againOf(flow));
    }
  };
  const againOf =
    ({ next, purpose, prompt }: Flow) =>
    (isOtherLogin: boolean) =>
      startOf(ownPath(next), purpose, isOtherLogin || prompt === 'select_account');

  /** Ends a sign-in: the provider has sent the browser back. */
  const end = async (context: RequestContext): Promise<Response> => {
    const provider = provided();
    const { url, network } = context;
    const flow = readFlow(context.providerFlow, clock.nowMs());
    if (flow === null)
      // The page was opened again, or too late.
      return isSignedIn(context)
        ? redirectTo(context, '/account')
        : redirectTo(context, '/account/sign-in', { kind: 'providerExpired' });
    const seconds = await signIn.waitSecondsOf(network);
    if (seconds > 0)
      throw new PanelError(
        429,
        (t) => t.provider.tooManyAttempts,
        (t) => t.provider.waitAndTryAgain(waitOf(seconds)),
        { 'Retry-After': String(seconds) },
      );
    let who: ProvidedPerson;
    try {
      // Before anything is sent out.
      if (!isSameText(url.searchParams.get('state') ?? '', flow.secrets.state))
        throw new ProviderFailure('wrong answer', 'wrong_state', 'the state is of another sign-in');
      who = await provider.receive(url.search, flow.secrets, flow.purpose === 'confirm');
    } catch (error) {
      const isRefused = error instanceof ProviderFailure && error.problem === 'scope refused';
      if (!isRefused || flow.scopes === 'basic') return failed(context, error, againOf(flow));
      audit(
        context,
        'the provider refuses the scope "groups", and is asked without it',
        {},
        'warn',
      );
      return ask(context, { ...flow, next: ownPath(flow.next), scopes: 'basic' });
    }
    const { purpose } = flow;
    // The cookie is the browser's.
    const next = ownPath(flow.next);
    if (purpose === 'connect' || purpose === 'confirm') {
      if (!isSignedIn(context)) return redirectTo(context, '/account/sign-in');
      const own = requirePerson(context);
      return purpose === 'connect' ? offer(own, who) : confirm(own, who, next);
    }
    const again = purpose === 'again' ? 'form' : '';
    const result = await identities.enter(who, context.device, await isInvited(who, next));
    return respond(context, who, result, { next, again });
  };

  /** Returns whether somebody comes from the page of an invitation to the own address. */
  const isInvited = async ({ email, isEmailVerified }: ProvidedPerson, next: string) => {
    const [, token] = /^\/account\/join\/([0-9a-f]{64})$/.exec(next) ?? [];
    if (token === undefined || email === null || !isEmailVerified) return false;
    return (await people.find(token))?.email === email;
  };

  const respond = (
    context: RequestContext,
    who: ProvidedPerson,
    result: IdentityResult,
    wayBack: { next: string; again: string },
  ): Promise<Response> | Response => {
    const { name } = provided();
    if (result.outcome === 'signed in') {
      const account = result.account.email;
      if (result.isNew) audit(context, 'account created', { account, provider: name });
      warnOfGroups(context, who);
      warnOfOperator(context, account, result.isKeptOperator);
      audit(context, 'signed in', { account, provider: name });
      return enterPanel(deps, context, result, { ...wayBack, zone: null });
    }
    if (result.outcome === 'more needed') {
      const { account, ...more } = result;
      audit(context, 'second factor asked for', { account: account.email, provider: name });
      return showMore({ ...context, session: null }, name, { ...wayBack, ...more });
    }
    const said = refusalSentence(result.reason, name, who.email, context.texts);
    const detail = `${result.reason}: ${who.subject}`;
    const command = refusalCommand(result.reason, who.email);
    const code = 'no_access';
    const reference = logFailure(context, code, detail);
    const shown = { ...said, code, command, reference, status: 403, providerName: name };
    return showNotLetIn(context, { ...shown, hasPasswords });
  };

  const warnOfGroups = (context: RequestContext, { groupsProblem: problem }: ProvidedPerson) => {
    if (problem === undefined) return;
    const message = 'the provider names no groups, so nobody is made an operator';
    audit(context, message, { problem }, 'warn');
  };

  const warnOfOperator = (context: RequestContext, account: string, isKept: boolean) => {
    if (!isKept) return;
    const message = 'the only operator stays one, although the groups say otherwise';
    audit(context, message, { account }, 'warn');
  };

  const confirm = async (context: PersonContext, who: ProvidedPerson, next: string) => {
    const own = await identities.ofAccount(context.session.person.id);
    if (own === null || own.issuer !== who.issuer || own.subject !== who.subject) {
      const code = 'other_identity';
      const reference = logFailure(context, code, who.subject);
      const said = otherPersonSentence(context.session.person.email, context.texts);
      const again = startOf(next, 'confirm');
      return showProblem(context, { said, status: 403, again, code, reference, hasPasswords });
    }
    await sessions.confirm(context.sessionToken);
    audit(context, 'identity confirmed');
    return redirectTo(context, next, { kind: 'confirmed' });
  };

  const offer = async (context: PersonContext, who: ProvidedPerson) => {
    const { session, sessionToken } = context;
    const proof = await identities.offer(session.person, sessionToken, who);
    return showConnect(context, proof, who.email ?? who.subject);
  };

  /** @param name of who is connected, as the provider says */
  const showConnect = (context: PersonContext, proof: string, name: string) => {
    const provider = provided().name;
    const { provider: t } = context.texts;
    return page(
      context,
      t.connectTitle({ provider }),
      <FormDialog
        title={t.connectQuestion({ provider })}
        form={connectForm}
        to={connectPath}
        values={{ proof }}
        back="/account/settings"
        button={t.connect}
      >
        <p>
          {t.whoSignsIn({
            name: <b>{name}</b>,
            provider,
            email: <b>{context.session.person.email}</b>,
          })}
        </p>
      </FormDialog>,
    );
  };

  /**
   * Returns whether somebody has proven to be the owner of the account since an identity was offered.
   * Who only found the browser open must not connect another way in.
   */
  const isConfirmedSince = async ({ session }: PersonContext, sinceMs: number) => {
    if (session.confirmedAtMs >= sinceMs) return true;
    return session.isConfirmed && (await signIn.confirmedBy(session.person)) === null;
  };

  return [
    anyone.get(startPath, async (context) =>
      isAtPublicUrl(context) ? begin(context) : redirectToPublicUrl(context),
    ),
    anyone.get(`${startPath}/callback`, async (context) => {
      const response = await end(context);
      // Whatever has happened, it is used. One that begins again comes after it.
      const cookies = response.headers.getSetCookie();
      response.headers.delete('Set-Cookie');
      for (const line of [setCookie('oidc', '', context.isSecure), ...cookies])
        response.headers.append('Set-Cookie', line);
      return response;
    }),
    anyone.submit(
      `${startPath}/finish`,
      {
        form: async (_, typed) => finishForm(typed.text('by')),
        page: async (context) => showMore({ ...context, session: null }, provided().name),
      },
      async (context, { proof, secret, next, again }) => {
        const result = await identities.finish({ proof, secret, ...clientOf(context) });
        if (result.outcome === 'expired')
          return redirectTo(context, '/account/sign-in', { kind: 'signInExpired' });
        if (result.outcome === 'signed in') {
          const account = result.account.email;
          if (result.connects) audit(context, 'identity connected', { account });
          warnOfOperator(context, account, result.isKeptOperator);
          audit(context, 'signed in', { account, provider: provided().name });
          return enterPanel(deps, context, result, { next, again, zone: null });
        }
        throw rejectedAt('secret', context, result, (t) => t.provider.wrongSecret);
      },
    ),
    anyone.get(`${startPath}/sign-out`, async (context) => {
      try {
        const to = await provided().signOutUrl(`${context.publicUrl}/account/sign-in`);
        if (to === null) return redirectTo(context, '/account/sign-in');
        return new Response(null, { status: 303, headers: { Location: to } });
      } catch (error) {
        return failed(context, error, () => `${startPath}/sign-out`);
      }
    }),
    person.post(connectPath, async (context, form) => {
      const { session, sessionToken } = context;
      const tooLate = () =>
        new PanelError(
          422,
          (t) => t.provider.tooLate,
          (t) => t.provider.tooLateWhy({ provider: provided().name }),
        );
      const found = await identities.findOffer(session.person, sessionToken, form.text('proof'));
      if (found === null) throw tooLate();
      if (!(await isConfirmedSince(context, found.beganAtMs))) return showConfirm(context, deps);
      const result = await identities.connect(found);
      switch (result) {
        case 'outdated':
          throw tooLate();
        case 'taken':
          throw new PanelError(
            422,
            (t) => t.common.notPossible,
            (t) => t.provider.taken({ provider: provided().name }),
          );
        case 'bound':
          audit(context, 'identity connected', { provider: provided().name });
          return redirectTo(context, '/account/settings', { kind: 'providerConnected' });
      }
    }),
    person.post(
      `${connectPath}/disconnect`,
      async (context) => {
        if (!context.session.hasPassword)
          throw new PanelError(
            422,
            (t) => t.common.notPossible,
            (t) => t.provider.noPassword,
          );
        await identities.disconnect(context.session.person, hashToken(context.sessionToken));
        audit(context, 'identity disconnected');
        return redirectTo(context, '/account/settings', { kind: 'providerDisconnected' });
      },
      { needsConfirmation: true },
    ),
  ];
}

/**
 * Returns whether the browser shows the panel at its public address.
 * The provider sends it back there.
 */
function isAtPublicUrl({ url, request, publicUrl }: RequestContext): boolean {
  const host = request.headers.get('host');
  return host === new URL(publicUrl).host || url.searchParams.has('moved');
}

/**
 * Leads to the public address, where the cookie of the sign-in must be.
 * Once: a proxy may hide the address.
 */
function redirectToPublicUrl({ url, publicUrl }: RequestContext): Response {
  const to = new URL(`${publicUrl}${startPath}${url.search}`);
  to.searchParams.set('moved', 'yes');
  return new Response(null, { status: 303, headers: { Location: to.href } });
}
