import type { IdentityRefusal } from '../../../core/accounts/sign-in/identities.ts';
import type { ProviderProblem } from '../../../core/accounts/sign-in/provider.ts';

/** Why somebody was not signed in, for that person. */
interface Said {
  readonly title: string;
  readonly text: string;
}

/** Says why a sign-in with a provider failed. @param name of the provider */
export function problemSentence(problem: ProviderProblem, name: string): Said {
  const misconfigured =
    'The operator of this server has to look at its settings. “waymark doctor” says what is wrong.';
  const sentences: Readonly<Record<ProviderProblem, Said>> = {
    unreachable: { title: `${name} doesn’t answer`, text: 'Try again in a moment.' },
    slow: { title: `${name} takes too long to answer`, text: 'Try again in a moment.' },
    certificate: { title: `The certificate of ${name} isn’t trusted here`, text: misconfigured },
    'no provider': { title: `${name} answers something else`, text: misconfigured },
    'other issuer': { title: `${name} calls itself by another address`, text: misconfigured },
    clock: {
      title: 'The clocks of the two servers differ too much',
      text: `So the answer of ${name} is not valid here. The operator of this server has to look at them.`,
    },
    'scope refused': {
      title: `${name} refuses what this server asks for`,
      text: `The operator of this server has to allow its client the scopes “openid”, “email” and “profile” at ${name}.`,
    },
    'wrong client': { title: `${name} doesn’t accept this server`, text: misconfigured },
    'code used': {
      title: 'The sign-in was used already, or came too late',
      text: 'Nothing has happened. Sign in again.',
    },
    denied: {
      title: `You cancelled, or ${name} has refused`,
      text: `Whoever runs ${name} decides who may use this server.`,
    },
    'not fresh': {
      title: `${name} doesn’t say that you have just signed in`,
      text: 'Sign out here, sign in again, and send the form within ten minutes.',
    },
    'wrong answer': {
      title: 'The answer doesn’t belong to your sign-in',
      text: 'Nothing has happened. Sign in again from this browser.',
    },
  };
  return sentences[problem];
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
