import { parseAccountId } from '../../core/accounts/account.ts';
import type { SignInTokens } from '../../core/accounts/session.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { Message } from '../request/messages.ts';
import { ownPath } from '../request/own-path.ts';
import type { RequestContext } from '../request/request.ts';
import { redirectTo } from '../routing/responses.tsx';
import { hiddenField } from '../ui/fields.tsx';
import type { Values } from '../ui/form.tsx';
import { adoptLanguage } from './language.tsx';
import { adoptZone } from './time-zone.tsx';

/**
 * Where signing in leads, and which form it interrupted.
 * The account that the form names, `form` if that is not known, or empty for none.
 */
export const wayBackFields = { next: hiddenField(ownPath), again: hiddenField((text) => text) };

/** See {@link wayBackFields}. */
export type WayBack = Values<typeof wayBackFields>;

/** Signs the browser in, and leads to where it was to go. */
export async function enterPanel(
  deps: Pick<PanelDeps, 'accounts' | 'sessions' | 'schedule' | 'signInNotices'>,
  context: RequestContext,
  tokens: SignInTokens,
  { next, again, zone }: WayBack & { readonly zone: string | null },
  important?: Message,
): Promise<Response> {
  const { sessions } = deps;
  if (context.sessionToken !== null) await sessions.end(context.sessionToken);
  await adoptLanguage(deps, context, tokens.session);
  const guessed = await adoptZone(deps, tokens.session, zone);
  const notice = await noticeOf(deps, context, tokens);
  const message = notice ?? important ?? guessed;
  if (again === '') return redirectTo(context, next, message, { tokens });
  const accountId = parseAccountId(again);
  if (accountId !== null && !(await sessions.enter(tokens.session, accountId))) {
    const email = (await sessions.find(tokens.session))?.person.email ?? '';
    return redirectTo(context, '/account', { kind: 'signedInAsOther', email }, { tokens });
  }
  return redirectTo(context, next, message ?? { kind: 'signedInAgain' }, { tokens });
}

/** Returns the message of what its owner may not know since the last sign-in. */
async function noticeOf(
  { sessions, signInNotices }: Pick<PanelDeps, 'sessions' | 'signInNotices'>,
  { trustedBrowser, device }: RequestContext,
  { session }: SignInTokens,
): Promise<Message | null> {
  const found = await sessions.find(session);
  if (found === null) return null;
  const notice = await signInNotices.ofSignIn(found.person.id, trustedBrowser, device);
  return notice && { kind: 'sinceLastSignIn', ...notice };
}
