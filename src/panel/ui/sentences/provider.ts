import type { IdentityRefusal } from '../../../core/accounts/sign-in/identities.ts';
import type { ProviderProblem } from '../../../core/accounts/sign-in/provider.ts';
import type { Texts } from '../../../languages/generated/texts.ts';

/** Why somebody was not signed in, for that person. */
interface Explained {
  readonly title: string;
  readonly text: string;
}

/** Why a sign-in did not come about, and what the person does next. */
export interface ProblemSaid extends Explained {
  readonly button: string;
  /** Whether the button asks for another login there. */
  readonly isOtherLogin?: boolean;
  /** Says whom to tell the code, the time and the reference. */
  readonly tell: Texts['provider']['tellOperator'];
  /** Whether only a link of the operator lets people in meanwhile. */
  readonly lasts?: boolean;
}

/** Says why a sign-in with a provider failed. @param provider its name, and its host */
export function problemSentence(
  problem: ProviderProblem,
  { name: provider, host }: { readonly name: string; readonly host: string },
  { provider: t }: Texts,
): ProblemSaid {
  // What is said alike of a problem that passes, one of settings, and one of a single sign-in.
  const outage = { button: t.tryAgain, tell: t.tellIfItLasts, lasts: true };
  const misconfigured = {
    text: t.lookAtSettings,
    button: t.tryAgain,
    tell: t.tellOperator,
    lasts: true,
  };
  const once = onceSaid(t);
  const sentences: Readonly<Record<ProviderProblem, () => ProblemSaid>> = {
    unreachable: () => ({
      ...outage,
      title: t.unreachable({ provider }),
      text: t.unreachableWhy({ host }),
    }),
    slow: () => ({ ...outage, title: t.slow({ provider }), text: t.slowWhy({ host }) }),
    certificate: () => ({ ...misconfigured, title: t.certificate({ provider }) }),
    'no provider': () => ({ ...misconfigured, title: t.noProvider({ provider }) }),
    'other issuer': () => ({ ...misconfigured, title: t.otherIssuer({ provider }) }),
    clock: () => ({ ...misconfigured, title: t.clock, text: t.clockWhy({ provider }) }),
    'scope refused': () => ({
      ...misconfigured,
      title: t.scopeRefused({ provider }),
      text: t.scopeRefusedWhy({ provider }),
    }),
    'wrong client': () => ({ ...misconfigured, title: t.wrongClient({ provider }) }),
    'code used': () => ({ ...once, title: t.codeUsed, text: t.codeUsedWhy }),
    denied: () => ({
      title: t.denied({ provider }),
      text: t.deniedWhy({ provider }),
      button: t.tryAnother,
      isOtherLogin: true,
      tell: (values) => t.tellWhoeverRuns({ ...values, provider }),
    }),
    'not fresh': () => ({ ...once, title: t.notFresh({ provider }), text: t.notFreshWhy }),
    'wrong answer': () => ({ ...once, title: t.wrongAnswer, text: t.wrongAnswerWhy }),
  };
  return sentences[problem]();
}

const onceSaid = (t: Texts['provider']) => ({ button: t.signInAgain, tell: t.tellIfAgain });

/** Says that somebody else has signed in than the one who is asked to confirm. */
export function otherPersonSentence(email: string, { provider: t }: Texts): ProblemSaid {
  return { ...onceSaid(t), title: t.somebodyElse, text: t.somebodyElseWhy({ email }) };
}

/** Says why somebody whom the provider knows has no access. */
export function refusalSentence(
  reason: IdentityRefusal,
  provider: string,
  email: string | null,
  { provider: t }: Texts,
): Explained {
  const title = email === null ? t.youHaveNoAccess : t.hasNoAccess({ email });
  const sentences: Readonly<Record<IdentityRefusal, Explained>> = {
    'no account': { title, text: t.nobodyInvited },
    unverified: { title, text: t.unverified({ provider }) },
    'other identity': { title, text: t.otherIdentity({ provider }) },
    'no first account': { title: t.noAccountYet, text: t.noAccountYetWhy },
    'no address': { title, text: t.noAddress },
  };
  return sentences[reason];
}

/** Makes a link to sign in with, also while the provider does not answer. */
export const linkCommand = 'waymark account link EMAIL';

/** Returns the command with which an operator lets in somebody who was refused. */
export function refusalCommand(reason: IdentityRefusal, email: string | null): string {
  if (email === null || reason === 'no address') return linkCommand;
  const isMissing = reason === 'no account' || reason === 'no first account';
  return `waymark account ${isMissing ? 'create' : 'link'} ${shellWord(email)}`;
}

/** Quotes a word for a shell, since the provider says what is in it. */
function shellWord(text: string): string {
  return /^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
