import type { IdentityRefusal } from '../../../core/accounts/sign-in/identities.ts';
import type { ProviderProblem } from '../../../core/accounts/sign-in/provider.ts';

/** Why somebody was not signed in, for that person. */
interface Said {
  readonly title: string;
  readonly text: string;
}

/** Why a sign-in did not come about, and what the person does next. */
export interface ProblemSaid extends Said {
  readonly button: string;
  /** Whether the button asks for another login there. */
  readonly isOtherLogin?: boolean;
  /** What goes before the code, the time and the reference. */
  readonly tell: string;
  /** Whether only a link of the operator lets people in meanwhile. */
  readonly lasts?: boolean;
}

const passes = 'That is nothing that you did, and it often passes within minutes.';

/** What is said alike of a problem that passes, one of settings, and one of a single sign-in. */
const outage = {
  button: 'Try again',
  tell: 'If it lasts, tell the operator of this server:',
  lasts: true,
} as const;
const misconfigured = {
  text: 'The operator of this server has to look at its settings. “waymark doctor” says what is wrong.',
  button: 'Try again',
  tell: 'Tell the operator of this server:',
  lasts: true,
} as const;
const once = {
  button: 'Sign in again',
  tell: 'If it happens again, tell the operator of this server:',
} as const;

/** Says why a sign-in with a provider failed. @param provider its name, and its host */
export function problemSentence(
  problem: ProviderProblem,
  { name, host }: { readonly name: string; readonly host: string },
): ProblemSaid {
  const sentences: Readonly<Record<ProviderProblem, ProblemSaid>> = {
    unreachable: {
      ...outage,
      title: `${name} doesn’t answer`,
      text: `${host} takes no sign-ins right now. ${passes}`,
    },
    slow: {
      ...outage,
      title: `${name} takes too long to answer`,
      text: `${host} has not answered in time. ${passes}`,
    },
    certificate: { ...misconfigured, title: `The certificate of ${name} isn’t trusted here` },
    'no provider': { ...misconfigured, title: `${name} answers something else` },
    'other issuer': { ...misconfigured, title: `${name} calls itself by another address` },
    clock: {
      ...misconfigured,
      title: 'The clocks of the two servers differ too much',
      text: `So the answer of ${name} is not valid here. The operator of this server has to look at them.`,
    },
    'scope refused': {
      ...misconfigured,
      title: `${name} refuses what this server asks for`,
      text: `The operator of this server has to allow its client the scopes “openid”, “email” and “profile” at ${name}.`,
    },
    'wrong client': { ...misconfigured, title: `${name} doesn’t accept this server` },
    'code used': {
      ...once,
      title: 'The sign-in was used already, or came too late',
      text: 'Nothing has happened.',
    },
    denied: {
      title: `You cancelled, or ${name} has refused`,
      text: `Whoever runs ${name} decides who may use this server.`,
      button: 'Try another login',
      isOtherLogin: true,
      tell: `If it should let you in, tell whoever runs ${name}:`,
    },
    'not fresh': {
      ...once,
      title: `${name} doesn’t say that you have just signed in`,
      text: 'Sign out here, sign in again, and send the form within ten minutes.',
    },
    'wrong answer': {
      ...once,
      title: 'The answer doesn’t belong to your sign-in',
      text: 'Nothing has happened. Sign in again from this browser.',
    },
  };
  return sentences[problem];
}

/** Says that somebody else has signed in than the one who is asked to confirm. */
export function otherPersonSentence(email: string): ProblemSaid {
  return {
    ...once,
    title: 'That was somebody else',
    text: `You are signed in here as ${email}.`,
  };
}

/** Says why somebody whom the provider knows has no access. */
export function refusalSentence(reason: IdentityRefusal, name: string, email: string | null): Said {
  const who = email ?? 'You';
  const noAccess = `${who} ${email === null ? 'have' : 'has'} no access`;
  const sentences: Readonly<Record<IdentityRefusal, Said>> = {
    'no account': {
      title: noAccess,
      text: 'Nobody has invited this address to an account here.',
    },
    unverified: {
      title: noAccess,
      text: `${name} doesn’t vouch for this address. Verify it there. Or sign in here another way, and connect ${name} under Settings.`,
    },
    'other identity': {
      title: noAccess,
      text: `The account of this address is connected with another person of ${name}.`,
    },
    'no first account': {
      title: 'There is no account yet',
      text: 'The first one is created by the newest link in the log of this server.',
    },
    'no address': { title: noAccess, text: 'An account cannot have this address.' },
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
