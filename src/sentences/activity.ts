import type { ActivityKind } from '../core/accounts/activity/activity.ts';
import type { ActivityEntry } from '../core/accounts/activity/ports.ts';
import type { ScheduleProblem } from '../core/codes/schedule/change.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { readableUrl } from '../lib/text/readable-url.ts';

/** The values of an entry. */
type Values = Pick<ActivityEntry, 'subject' | 'before' | 'after' | 'count'>;
type Entry = Pick<ActivityEntry, 'kind'> & Values;

/** What the sentence of an entry is made of: texts, or elements of a page. */
interface Parts<Part> {
  readonly who: Part;
  /** The code that it is about, or null. */
  readonly code: Part | null;
  /** Creates a part for a text that somebody wrote. */
  readonly written: (text: string) => Part;
}

/** The values of a sentence. */
interface Said<Part> extends Values, Parts<Part> {
  readonly t: Texts['events'];
  readonly code: Part;
  readonly codes: number;
  readonly what: Part;
  readonly person: Part;
  readonly role: 'viewer' | 'editor';
}

/** Says what an entry is: who did what. */
export function activitySentence<Part>(
  entry: Entry,
  { who, code, written }: Parts<Part>,
  { events: t, activity }: Texts,
): readonly (string | Part)[] {
  const { subject, after, count } = entry;
  return sentences[entry.kind]({
    ...entry,
    t,
    who,
    written,
    code: code ?? written(activity.aCode),
    codes: count ?? 0,
    what: written(subject ?? ''),
    // The address of a person is erased with the account.
    person: written(subject ?? activity.aPersonWhoLeft),
    role: after === 'viewer' ? 'viewer' : 'editor',
  });
}

const sentences: Readonly<
  Record<ActivityKind, <Part>(said: Said<Part>) => readonly (string | Part)[]>
> = {
  'code-created': ({ t, who, code }) => t.codeCreated({ who, code }),
  'destination-changed': ({ t, who, code }) => t.destinationChanged({ who, code }),
  'name-changed': ({ t, who, code }) => t.codeRenamed({ who, code }),
  'folder-changed': ({ t, who, code }) => t.codeMoved({ who, code }),
  'path-changed': ({ t, who, code }) => t.pathChanged({ who, code }),
  'label-changed': ({ t, who, code, subject, what }) =>
    subject === 'note' || subject === 'path' || subject === 'query'
      ? t.labelChanged({ who, code, label: subject })
      : t.otherLabelChanged({ who, code, label: what }),
  'code-paused': ({ t, who, code }) => t.codePaused({ who, code }),
  'code-resumed': ({ t, who, code }) => t.codeResumed({ who, code }),
  'code-archived': ({ t, who, code }) => t.codeArchived({ who, code }),
  'code-unarchived': ({ t, who, code }) => t.codeUnarchived({ who, code }),
  'code-blocked': ({ t, who, code }) => t.codeBlocked({ who, code }),
  'code-unblocked': ({ t, who, code }) => t.codeUnblocked({ who, code }),
  'plan-added': ({ t, who, code, codes, count }) =>
    count === null ? t.changePlanned({ who, code }) : t.changeOfCodesPlanned({ who, codes }),
  'plan-cancelled': ({ t, who, code }) => t.changeCancelled({ who, code }),
  'plan-not-made': ({ t, who, code }) => t.changeNotMade({ change: who, code }),
  'folder-renamed': ({ t, who, codes }) => t.folderRenamed({ who, codes }),
  'folder-removed': ({ t, who, codes, before, written }) =>
    t.folderRemoved({ who, codes, folder: written(before ?? '') }),
  'folder-domain-changed': ({ t, who, what }) => t.folderDomainChanged({ who, folder: what }),
  'codes-destination-changed': ({ t, who, codes }) => t.destinationOfCodesChanged({ who, codes }),
  'codes-moved': ({ t, who, codes, after, written }) =>
    after === null
      ? t.codesMovedOut({ who, codes })
      : t.codesMoved({ who, codes, folder: written(after) }),
  'codes-paused': ({ t, who, codes }) => t.codesPaused({ who, codes }),
  'codes-resumed': ({ t, who, codes }) => t.codesResumed({ who, codes }),
  'codes-query-on': ({ t, who, codes }) => t.codesPassQueryOn({ who, codes }),
  'codes-query-off': ({ t, who, codes }) => t.codesDropQuery({ who, codes }),
  'codes-archived': ({ t, who, codes }) => t.codesArchived({ who, codes }),
  'codes-unarchived': ({ t, who, codes }) => t.codesUnarchived({ who, codes }),
  'codes-edit-undone': ({ t, who, codes }) => t.changeOfCodesUndone({ who, codes }),
  'codes-printed': ({ t, who, codes }) => t.codesPrinted({ who, codes }),
  'codes-received': ({ t, who }) => t.codesReceived({ who }),
  'table-started': ({ t, who, codes }) => t.tableStarted({ who, codes }),
  'table-stopped': ({ t, who }) => t.tableStopped({ who }),
  'links-imported': ({ t, who, codes }) => t.linksImported({ who, links: codes }),
  'design-changed': ({ t, who }) => t.designChanged({ who }),
  'design-saved': ({ t, who, what }) => t.designSaved({ who, design: what }),
  'design-renamed': ({ t, who }) => t.designRenamed({ who }),
  'design-removed': ({ t, who, what }) => t.designRemoved({ who, design: what }),
  'signed-in': ({ t, who }) => t.signedIn({ who }),
  'browser-added': ({ t, who }) => t.signedInWithNewBrowser({ who }),
  'second-factor-failed': ({ t, who }) => t.wrongSecondFactor({ who }),
  'sessions-ended': ({ t, who }) => t.otherBrowsersSignedOut({ who }),
  'sign-in-link-made': ({ t, who }) => t.signInLinkMade({ who }),
  'sign-in-link-used': ({ t, who }) => t.signInLinkUsed({ who }),
  'password-changed': ({ t, who }) => t.passwordChanged({ who }),
  'second-factor-on': ({ t, who }) => t.secondFactorOn({ who }),
  'second-factor-off': ({ t, who }) => t.secondFactorOff({ who }),
  'recovery-codes-made': ({ t, who }) => t.recoveryCodesMade({ who }),
  'recovery-code-used': ({ t, who }) => t.recoveryCodeUsed({ who }),
  'key-made': ({ t, who, what }) => t.keyMade({ who, end: what }),
  'key-ended': ({ t, who, what }) => t.replacedKeyEnded({ who, end: what }),
  'key-revoked': ({ t, who, what }) => t.keyRevoked({ who, end: what }),
  'identity-connected': ({ t, who, what }) => t.providerConnected({ who, provider: what }),
  'identity-removed': ({ t, who }) => t.providerDisconnected({ who }),
  'person-invited': ({ t, who, person, role }) => t.personInvited({ who, person, role }),
  'invitation-cancelled': ({ t, who, person }) => t.invitationTakenBack({ who, person }),
  'person-joined': ({ t, who, role }) => t.personJoined({ who, role }),
  'role-changed': ({ t, who, person }) => t.roleChanged({ who, person }),
  'person-removed': ({ t, who, person }) => t.personRemoved({ who, person }),
  'person-left': ({ t, who }) => t.personLeft({ who }),
  'account-created': ({ t, who }) => t.accountCreated({ who }),
  'account-plan-changed': ({ t, who }) => t.planEndChanged({ who }),
  'operator-made': ({ t, who }) => t.operatorMade({ who }),
  'operator-removed': ({ t, who }) => t.operatorRemoved({ who }),
  'email-changed': ({ t, who }) => t.emailChanged({ who }),
  'time-zone-changed': ({ t, who }) => t.timeZoneChanged({ who }),
  'visitor-texts-changed': ({ t, who }) => t.pausedPageChanged({ who }),
  'domain-changed': ({ t, who }) => t.domainChanged({ who }),
  'domain-given': ({ t, who, what }) => t.domainGiven({ who, domain: what }),
  'domain-taken': ({ t, who, what }) => t.domainTaken({ who, domain: what }),
};

/** Returns what else is known of an entry, such as where a code led and where it leads; null for nothing. */
export function activityDetail(entry: Entry, texts: Texts): string | null {
  const { kind, before, after } = entry;
  const { eventDetails: t } = texts;
  switch (kind) {
    case 'code-created':
    case 'folder-domain-changed':
    case 'time-zone-changed':
    case 'domain-changed':
      return after === null ? null : t.to({ after: readableUrl(after) });
    case 'codes-destination-changed':
      if (before === null) return after === null ? null : t.to({ after: readableUrl(after) });
      return change(readableUrl(before), after && readableUrl(after), texts);
    case 'destination-changed':
      return change(before && readableUrl(before), after && readableUrl(after), texts);
    case 'name-changed':
    case 'folder-changed':
    case 'path-changed':
    case 'label-changed':
    case 'folder-renamed':
    case 'design-renamed':
    case 'email-changed':
      return change(before, after, texts);
    case 'role-changed':
      return change(roleName(before, texts), roleName(after, texts), texts);
    case 'code-blocked':
      return after === null ? null : t.reason({ reason: after });
    case 'plan-added':
    case 'plan-cancelled':
      return planned(entry, texts);
    case 'plan-not-made': {
      const what = planned({ ...entry, before: null }, texts);
      // Written by this version, or one that knows more problems.
      const why = before === null ? null : (problems[before as ScheduleProblem]?.(texts) ?? before);
      return why === null ? what : t.notMade({ change: what, why });
    }
    case 'signed-in':
    case 'browser-added':
      return after === '' ? null : after;
    case 'account-plan-changed':
      return after === null ? t.never : t.to({ after });
    default:
      return null;
  }
}

function change(
  before: string | null,
  after: string | null,
  { eventDetails: t }: Texts,
): string | null {
  if (before === null && after === null) return null;
  return t.change({ before: before ?? t.none, after: after ?? t.none });
}

function roleName(role: string | null, { eventDetails: t }: Texts): string | null {
  return role === 'viewer' || role === 'editor' ? t.role({ role }) : role;
}

/** Says what a planned change does, and when. */
function planned({ subject, before, after }: Values, { eventDetails: t }: Texts): string {
  const what =
    subject === 'pause' || subject === 'resume'
      ? t.action({ action: subject })
      : t.to({ after: readableUrl(after ?? '') });
  return before === null ? what : t.planned({ when: before.replace('T', ' '), change: what });
}

/** Why a planned change was not made. */
const problems: Readonly<Record<ScheduleProblem, (texts: Texts) => string>> = {
  'no plan': ({ eventDetails: t }) => t.planExpired,
  flagged: ({ eventDetails: t }) => t.flagged,
  'not valid': ({ eventDetails: t }) => t.ownShortLink,
  blocked: ({ eventDetails: t }) => t.blocked,
  failed: ({ eventDetails: t }) => t.failed,
};
