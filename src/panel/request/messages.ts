import type { SignInNotice } from '../../core/accounts/activity/sign-in-notice.ts';
import type { MemberRole } from '../../core/accounts/people/role.ts';
import { formatCount } from '../../lib/numbers.ts';
import { labelPhrase } from '../../sentences/codes.ts';

/** The text of a message. */
interface Shown {
  /** Of a warning, which stays until the page is left. Others are shown in passing. */
  readonly title?: string;
  readonly text: string;
  /** A page that has to do with it. */
  readonly link?: { readonly to: string; readonly text: string };
  /** The form that undoes the change. */
  readonly undo?: { readonly to: string; readonly values?: Readonly<Record<string, string>> };
}

interface CodeOf {
  readonly code: string;
}

/** A destination that was typed. */
interface Completed {
  /** Whether it was typed without `https://`. */
  readonly isCompleted: boolean;
}

interface RoleChange {
  readonly id: number;
  readonly email: string;
  readonly role: MemberRole;
  readonly former: MemberRole;
}

const added = (isCompleted: boolean) => (isCompleted ? ' https:// was added.' : '');

function undoable(text: string, code: string, action: string, values = {}): Shown {
  return { text, undo: { to: `/account/codes/${encodeURIComponent(code)}/${action}`, values } };
}

// A message is a cookie, which may have 4,096 bytes.
const maxUndoneLength = 800;

/** The messages that a page shows once, after the redirect of a change, by their kind. */
const texts = {
  created: ({ isCompleted }: Completed) =>
    `Your code is ready. Download it below.${added(isCompleted)}`,
  destinationSaved: ({
    code,
    former,
    isCompleted,
  }: Completed & CodeOf & { readonly former: string }) => {
    const text = `Destination saved.${added(isCompleted)}`;
    return former.length > maxUndoneLength
      ? text
      : undoable(text, code, 'destination', { url: former });
  },
  labelsSaved: () => `${labelPhrase()} saved.`,
  paused: ({ code }: CodeOf) => undoable('The code is paused.', code, 'resume'),
  pausedMessageSaved: () => ({ text: 'The message is saved.' }),
  resumed: ({ code }: CodeOf) => undoable('The code redirects again.', code, 'pause'),
  archived: ({ code }: CodeOf) =>
    undoable('The code is archived. It still redirects.', code, 'unarchive'),
  unarchived: ({ code }: CodeOf) => undoable('The code is in lists again.', code, 'archive'),
  changeScheduled: ({
    code,
    text,
    moved,
    ids,
  }: CodeOf & {
    readonly text: string;
    readonly moved: string;
    readonly ids: string;
  }): Shown => {
    const shown = `Planned: ${text}.${moved}`;
    return ids === '' ? { text: shown } : undoable(shown, code, 'plan/cancel', { id: ids });
  },
  changesScheduled: ({
    codes,
    left,
  }: {
    readonly codes: number;
    readonly left: number;
  }): Shown => ({
    text: `Planned for ${formatCount(codes, 'code')}.${left === 0 ? '' : ` ${formatCount(left, 'was', 'were')} left out: with too many changes, or another one at this time.`}`,
    link: { to: '/account/planned', text: 'See them' },
  }),
  scheduledChangeMade: () => 'Done. It was made now, as an edit.',
  scheduledChangesRemoved: ({
    code,
    changes,
    values,
  }: CodeOf & {
    readonly changes: number;
    readonly values: Readonly<Record<string, string>>;
  }): Shown => {
    const text = changes === 1 ? 'Planned change deleted.' : `${changes} planned changes deleted.`;
    const length = values['url']?.length ?? maxUndoneLength + 1;
    return length > maxUndoneLength ? { text } : undoable(text, code, 'plan', values);
  },
  folderRenamed: () => 'Folder renamed.',
  folderRemoved: ({ codes }: { readonly codes: number }) =>
    `Folder removed. ${formatCount(codes, 'code stays', 'codes stay')}, without a folder.`,
  codesChanged: ({ text }: { readonly text: string }): Shown => ({
    text: `${text}.`,
    undo: { to: '/account/selection/undo' },
  }),
  noCodesChanged: () => 'No code was changed: all are like that already, or can’t be changed.',
  bulkEditUndone: () => 'The last bulk edit is undone.',
  designSaved: () => 'Design saved. New codes will use it.',
  designNamed: () => 'Design saved. You can choose it when you create codes.',
  designMadeDefault: () => 'New codes will use this design.',
  designRenamed: () => 'Design renamed.',
  designDeleted: () => 'Saved design deleted.',
  oldKeyEnded: () => 'The replaced key no longer works.',
  keyRevoked: () => 'The key is revoked.',
  secondFactorOff: () => 'The second factor is off.',
  recoveryCodeUsed: ({ left }: { readonly left: number }): Shown => ({
    title: `You signed in with a recovery code. ${formatCount(left, 'is', 'are')} left.`,
    text: 'Make new ones in the settings, or turn the second factor off and on with your new phone.',
  }),
  sinceLastSignIn: ({ wrongCodes, links, keys, emails, browsers }: SignInNotice): Shown => ({
    title: 'Since your last sign-in here',
    text: [
      wrongCodes > 0 && `${formatCount(wrongCodes, 'wrong code')} of the second factor.`,
      links > 0 && `${formatCount(links, 'one-time link')} to sign in.`,
      keys > 0 && `${formatCount(keys, 'new API key')}.`,
      emails > 0 && 'Your e-mail address was changed.',
      browsers.length > 0 && `New on ${new Intl.ListFormat('en-GB').format(browsers)}.`,
      'If that was not you, change your password.',
    ]
      .filter(Boolean)
      .join(' '),
    link: { to: '/account/activity', text: 'See the activity' },
  }),
  signInExpired: (): Shown => ({
    title: 'Sign in again',
    text: 'The code came too late, or your password has been changed.',
  }),
  oneSessionEnded: () => 'The session has ended.',
  otherSessionsEnded: () => 'All other sessions have ended.',
  passwordChanged: () => 'Password changed. All other sessions have ended.',
  emailChanged: ({ email }: { readonly email: string }) =>
    `Your e-mail address is ${email} now. Sign in with it from now on.`,
  timeZoneGuessed: ({ place }: { readonly place: string }): Shown => ({
    text: `Your days follow ${place}.`,
    link: { to: '/account/settings#time-zone', text: 'Change' },
  }),
  timeZoneSaved: ({ place }: { readonly place: string }) => `Your days follow ${place}.`,
  visitorsSaved: () => 'Saved. Visitors see it on paused codes at once.',
  domainChosen: ({ name }: { readonly name: string }) => `New codes begin with ${name}.`,
  folderDomainSaved: () => 'Saved. Codes that are printed already keep their domain.',
  keysOff: () => 'Keyboard shortcuts are off.',
  keysOn: () => 'Keyboard shortcuts are on.',
  signedOut: () => 'You are signed out.',
  signedOutHere: ({ name }: { readonly name: string }): Shown => ({
    text: `You are signed out here. You may still be signed in at ${name}.`,
    link: { to: '/account/sign-in/oidc/sign-out', text: 'Sign out there too' },
  }),
  providerExpired: (): Shown => ({
    title: 'Sign in again',
    text: 'It took more than ten minutes, or began in another browser.',
  }),
  providerConnected: () => 'Connected. From now on, it signs you in.',
  providerDisconnected: () => 'Disconnected. You sign in with your password.',
  signedInAgain: (): Shown => ({
    title: 'You are signed in',
    text: 'Your form was not sent. Close this tab, press Back in the one before, and send it again.',
  }),
  confirmed: (): Shown => ({
    title: 'You have confirmed that it’s you',
    text: 'Your form was not sent. Close this tab, press Back in the one before, and send it again.',
  }),
  signedInAsOther: ({ email }: { readonly email: string }): Shown => ({
    title: `You are signed in as ${email}`,
    text: 'The form was of another account. It was not sent, and nothing was changed.',
  }),
  accountLeft: ({ name }: { readonly name: string }) => `You have left ${name}.`,
  joined: () => 'You have joined. The account menu leads to your own account.',
  roleChanged: ({ email, role, former, id }: RoleChange): Shown => ({
    text: `${email} is ${role === 'editor' ? 'an editor' : 'a viewer'} now.`,
    undo: {
      to: '/account/settings/people/role',
      values: { member: String(id), role: former },
    },
  }),
  personRemoved: ({ email }: { readonly email: string }) =>
    `${email} can’t enter this account any more.`,
  invitationTakenBack: () => 'The invitation is taken back. Its link no longer works.',
  accountDeleted: ({ isOwn }: { readonly isOwn: boolean }) =>
    isOwn ? 'Your account is deleted.' : 'The account is deleted.',
  planSaved: () => 'Plan saved.',
  sessionsEnded: () => 'The account is signed out everywhere.',
  domainAdded: (): Shown => ({ text: 'The domain is added.' }),
  domainSaved: () => 'Saved.',
  domainRemoved: () => 'The domain is removed.',
  codeBlocked: () => 'The code is blocked. It no longer redirects.',
  codeUnblocked: () => 'The code is no longer blocked.',
  ruleAdded: () => 'Rule saved. Existing codes will be re-checked.',
  ruleRemoved: () => 'Rule removed. Existing codes will be re-checked.',
} as const;
type Texts = typeof texts;

/** A message with its parameters. */
export type Message = {
  readonly [Kind in keyof Texts]: { readonly kind: Kind } & (Parameters<Texts[Kind]> extends [
    infer Values,
  ]
    ? Values
    : unknown);
}[keyof Texts];

/** Returns the text of a message. */
export function messageText(message: Message): Shown {
  // The cast is safe: a message has the parameters of its kind.
  const shown = (texts[message.kind] as (values: Message) => string | Shown)(message);
  return typeof shown === 'string' ? { text: shown } : shown;
}

/**
 * Encodes a message for a cookie, signed with an HMAC.
 * Only this server can put messages into the panel.
 *
 * @param key of the server: a browser must not have it
 */
export function sealMessage(message: Message, key: string): string {
  const payload = Buffer.from(JSON.stringify(message)).toString('base64url');
  return `${payload}.${hmac(payload, key)}`;
}

/** Decodes a message. Returns null if it was not sealed with this key, or by another version. */
export function openMessage(sealed: string | null, key: string): Message | null {
  if (sealed === null) return null;
  const [payload = '', code = ''] = sealed.split('.');
  if (!isSameText(code, hmac(payload, key))) return null;
  const message: Message = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return Object.hasOwn(texts, message.kind) ? message : null;
}

/** Compares two secrets in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}

function hmac(payload: string, key: string): string {
  return new Bun.CryptoHasher('sha256', key).update(`message ${payload}`).digest('base64url');
}
