import type { SignInNotice } from '../../core/accounts/activity/sign-in-notice.ts';
import type { MemberRole } from '../../core/accounts/people/role.ts';
import type { BulkEditChange } from '../../core/batches/bulk-edit.ts';
import type { ScheduledChange } from '../../core/codes/schedule/change.ts';
import type { Timing } from '../../core/codes/schedule/wall-time.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { textsOf } from '../../languages/texts.ts';
import { bulkEditText } from '../../sentences/bulk-edits.ts';
import { sayDevice } from './device.ts';

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

interface CodesEdited {
  /** Its addresses are shortened, because a message has a bound. */
  readonly change: BulkEditChange;
  readonly codes: number;
}

/** When a planned change is made. */
export type PlannedTime = Timing & Pick<ScheduledChange, 'nextMs'>;

/** What was planned for a code. */
export interface PlannedMessage {
  /** How many changes. */
  readonly changes: number;
  /** The only change, or the first of two; null for more, of which none is named. */
  readonly begin: PlannedTime | null;
  /** The second of two. */
  readonly end: PlannedTime | null;
  /** A time that a change of clocks leaves out, and the time of the day at which the change is made instead. */
  readonly moved: { readonly firstLocal: string; readonly madeAt: string } | null;
}

/** Says what was planned, in the zone of the page. */
type SayPlanned = (planned: PlannedMessage) => string;

interface RoleChange {
  readonly id: number;
  readonly email: string;
  readonly role: MemberRole;
  readonly former: MemberRole;
}

function undoable(text: string, code: string, action: string, values = {}): Shown {
  return { text, undo: { to: `/account/codes/${encodeURIComponent(code)}/${action}`, values } };
}

// A message is a cookie, which may have 4,096 bytes.
const maxUndoneLength = 800;

/** The messages that a page shows once, after the redirect of a change, by their kind. */
const messagesOf = (texts: Texts, sayPlanned: SayPlanned) => {
  const { messages: t, lists } = texts;
  return {
    created: ({ isCompleted }: Completed) => (isCompleted ? t.createdCompleted : t.created),
    destinationSaved: ({
      code,
      former,
      isCompleted,
    }: Completed & CodeOf & { readonly former: string }) => {
      const text = isCompleted ? t.destinationSavedCompleted : t.destinationSaved;
      return former.length > maxUndoneLength
        ? text
        : undoable(text, code, 'destination', { url: former });
    },
    labelsSaved: () => t.labelsSaved,
    paused: ({ code }: CodeOf) => undoable(t.paused, code, 'resume'),
    pausedMessageSaved: () => t.pausedMessageSaved,
    resumed: ({ code }: CodeOf) => undoable(t.resumed, code, 'pause'),
    archived: ({ code }: CodeOf) => undoable(t.archived, code, 'unarchive'),
    unarchived: ({ code }: CodeOf) => undoable(t.unarchived, code, 'archive'),
    changePlanned: ({
      code,
      planned,
      ids,
    }: CodeOf & { readonly planned: PlannedMessage; readonly ids: string }): Shown => {
      const text = sayPlanned(planned);
      return ids === '' ? { text } : undoable(text, code, 'plan/cancel', { id: ids });
    },
    changesScheduled: ({
      codes,
      left,
    }: {
      readonly codes: number;
      readonly left: number;
    }): Shown => ({
      text:
        left === 0
          ? t.planned({ codes })
          : lists.nextSentence({ sentences: t.planned({ codes }), sentence: t.leftOut({ left }) }),
      link: { to: '/account/planned', text: t.seePlanned },
    }),
    scheduledChangeMade: () => t.scheduledChangeMade,
    scheduledChangesRemoved: ({
      code,
      changes,
      values,
    }: CodeOf & {
      readonly changes: number;
      readonly values: Readonly<Record<string, string>>;
    }): Shown => {
      const text = t.plannedDeleted({ changes });
      const length = values['url']?.length ?? maxUndoneLength + 1;
      return length > maxUndoneLength ? { text } : undoable(text, code, 'plan', values);
    },
    folderRenamed: () => t.folderRenamed,
    folderRemoved: ({ codes }: { readonly codes: number }) => t.folderRemoved({ codes }),
    codesEdited: ({ change, codes }: CodesEdited): Shown => ({
      text: t.codesEdited({ edit: bulkEditText(change, codes, texts) }),
      undo: { to: '/account/selection/undo' },
    }),
    noCodesChanged: () => t.noCodesChanged,
    bulkEditUndone: () => t.bulkEditUndone,
    designSaved: () => t.designSaved,
    designNamed: () => t.designNamed,
    designMadeDefault: () => t.designMadeDefault,
    designRenamed: () => t.designRenamed,
    designDeleted: () => t.designDeleted,
    oldKeyEnded: () => t.oldKeyEnded,
    keyRevoked: () => t.keyRevoked,
    secondFactorOff: () => t.secondFactorOff,
    recoveryCodeUsed: ({ left }: { readonly left: number }): Shown => ({
      title: t.recoveryCodeUsed({ left }),
      text: t.recoveryCodeUsedText,
    }),
    sinceLastSignIn: ({ wrongCodes, links, keys, emails, browsers }: SignInNotice): Shown => ({
      title: t.sinceLastSignIn,
      text: [
        wrongCodes > 0 && t.wrongCodes({ codes: wrongCodes }),
        links > 0 && t.signInLinks({ links }),
        keys > 0 && t.newKeys({ keys }),
        emails > 0 && t.emailWasChanged,
        browsers.length > 0 &&
          t.newBrowsers({
            browsers: texts.formats.list(browsers.map((one) => sayDevice(one, texts))),
          }),
        t.ifNotYou,
      ]
        .filter(Boolean)
        .join(' '),
      link: { to: '/account/activity', text: t.seeActivity },
    }),
    signInExpired: (): Shown => ({
      title: t.signInExpired,
      text: t.signInExpiredText,
    }),
    oneSessionEnded: () => t.oneSessionEnded,
    otherSessionsEnded: () => t.otherSessionsEnded,
    passwordChanged: () => t.passwordChanged,
    emailChanged: ({ email }: { readonly email: string }) => t.emailChanged({ email }),
    timeZoneGuessed: ({ place }: { readonly place: string }): Shown => ({
      text: t.daysFollow({ place }),
      link: { to: '/account/settings#time-zone', text: t.changeZone },
    }),
    languageChanged: () => ({ text: t.languageChanged }),
    timeZoneSaved: ({ place }: { readonly place: string }) => t.daysFollow({ place }),
    visitorsSaved: () => t.visitorsSaved,
    keysOff: () => t.keysOff,
    keysOn: () => t.keysOn,
    signedOut: () => t.signedOut,
    signedOutHere: ({ name }: { readonly name: string }): Shown => ({
      text: t.signedOutHere({ provider: name }),
      link: { to: '/account/sign-in/oidc/sign-out', text: t.signOutThere },
    }),
    providerExpired: (): Shown => ({
      title: t.providerExpired,
      text: t.providerExpiredText,
    }),
    providerConnected: () => t.providerConnected,
    providerDisconnected: () => t.providerDisconnected,
    signedInAgain: (): Shown => ({
      title: t.signedInAgain,
      text: t.signedInAgainText,
    }),
    confirmed: (): Shown => ({
      title: t.confirmed,
      text: t.confirmedText,
    }),
    signedInAsOther: ({ email }: { readonly email: string }): Shown => ({
      title: t.signedInAsOther({ email }),
      text: t.signedInAsOtherText,
    }),
    accountLeft: ({ name }: { readonly name: string }) => t.accountLeft({ account: name }),
    joined: () => t.joined,
    roleChanged: ({ email, role, former, id }: RoleChange): Shown => ({
      text: t.roleChanged({ email, role }),
      undo: {
        to: '/account/settings/people/role',
        values: { member: String(id), role: former },
      },
    }),
    personRemoved: ({ email }: { readonly email: string }) => t.personRemoved({ email }),
    invitationTakenBack: () => t.invitationTakenBack,
    accountDeleted: ({ isOwn }: { readonly isOwn: boolean }) =>
      isOwn ? t.ownAccountDeleted : t.accountDeleted,
    planSaved: () => t.planSaved,
    sessionsEnded: () => t.sessionsEnded,
    domainAdded: (): Shown => ({ text: t.domainAdded }),
    domainChosen: ({ name }: { readonly name: string }) => t.domainChosen({ domain: name }),
    folderDomainSaved: () => t.folderDomainSaved,
    domainSaved: () => t.domainSaved,
    domainRemoved: () => t.domainRemoved,
    codeBlocked: () => t.codeBlocked,
    codeUnblocked: () => t.codeUnblocked,
    ruleAdded: () => t.ruleAdded,
    ruleRemoved: () => t.ruleRemoved,
  } as const;
};
type Messages = ReturnType<typeof messagesOf>;

/** A message with its parameters. */
export type Message = {
  readonly [Kind in keyof Messages]: { readonly kind: Kind } & (Parameters<Messages[Kind]> extends [
    infer Values,
  ]
    ? Values
    : unknown);
}[keyof Messages];

/** Returns the text of a message. */
export function messageText(message: Message, texts: Texts, sayPlanned: SayPlanned): Shown {
  // The cast is safe: a message has the parameters of its kind.
  const say = messagesOf(texts, sayPlanned)[message.kind] as (values: Message) => string | Shown;
  const shown = say(message);
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
  return Object.hasOwn(
    messagesOf(textsOf('en'), () => ''),
    message.kind,
  )
    ? message
    : null;
}

/** Compares two secrets in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}

function hmac(payload: string, key: string): string {
  return new Bun.CryptoHasher('sha256', key).update(`message ${payload}`).digest('base64url');
}
