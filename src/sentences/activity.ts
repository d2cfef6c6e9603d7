import type { ActivityKind } from '../core/accounts/activity/activity.ts';
import type { ActivityEntry } from '../core/accounts/activity/ports.ts';
import type { ScheduleProblem } from '../core/codes/schedule/change.ts';
import { formatCount } from '../lib/numbers.ts';
import { readableUrl } from '../lib/text/readable-url.ts';

/** What somebody did, as a sentence: who, `did`, the code if there is one, `rest`. */
export interface ActivityPhrase {
  readonly did: string;
  readonly rest?: string;
  /** A second line, such as where a code led and where it leads. */
  readonly detail?: string;
}

/** The values of an entry. */
type Values = Pick<ActivityEntry, 'subject' | 'before' | 'after' | 'count'>;

/** Returns what an entry says after the name of who did it. */
export function activityPhrase(entry: Pick<ActivityEntry, 'kind'> & Values): ActivityPhrase {
  return phrases[entry.kind](entry);
}

const codes = ({ count }: Values) => formatCount(count ?? 0, 'code');
const change = ({ before, after }: Values) =>
  before === null && after === null ? {} : { detail: `${before ?? 'none'} → ${after ?? 'none'}` };
const to = ({ after }: Values) => (after === null ? {} : { detail: `→ ${readableUrl(after)}` });
const changeOfUrl = (entry: Values) =>
  change({
    ...entry,
    before: entry.before && readableUrl(entry.before),
    after: entry.after && readableUrl(entry.after),
  });
const what = ({ subject }: Values) => subject ?? '';
/** The address of a person, which is erased with the account. */
const person = ({ subject }: Values) => subject ?? 'a person who left';

/** What a planned change does, and when. */
const planned = ({ subject, before, after }: Values) => {
  const action =
    subject === 'pause' || subject === 'resume' ? subject : `→ ${readableUrl(after ?? '')}`;
  return [before?.replace('T', ' '), action].filter(Boolean).join(' ');
};
const problems: Readonly<Record<ScheduleProblem, string>> = {
  'no plan': 'the plan of the account had expired',
  flagged: 'the destination is flagged as dangerous',
  'not valid': 'the destination is a short link of this server by now',
  blocked: 'the operator has blocked the code',
  failed: 'the server could not make it, and its log says why',
};

const phrases: Readonly<Record<ActivityKind, (values: Values) => ActivityPhrase>> = {
  'code-created': (entry) => ({ did: 'created', ...to(entry) }),
  'destination-changed': (entry) => ({ did: 'changed the destination of', ...changeOfUrl(entry) }),
  'name-changed': (entry) => ({ did: 'renamed', ...change(entry) }),
  'folder-changed': (entry) => ({ did: 'moved', rest: 'to another folder', ...change(entry) }),
  'path-changed': (entry) => ({ did: 'changed the address to type of', ...change(entry) }),
  'label-changed': (entry) => ({ did: `changed the ${what(entry)} of`, ...change(entry) }),
  'code-paused': () => ({ did: 'paused' }),
  'code-resumed': () => ({ did: 'resumed' }),
  'code-archived': () => ({ did: 'archived' }),
  'code-unarchived': () => ({ did: 'took', rest: 'out of the archive' }),
  'code-blocked': ({ after }) => ({
    did: 'blocked',
    ...(after !== null && { detail: `Reason: ${after}` }),
  }),
  'code-unblocked': () => ({ did: 'lifted the block of' }),
  'plan-added': (entry) =>
    entry.count === null
      ? { did: 'planned a change of', detail: planned(entry) }
      : { did: `planned a change of ${codes(entry)}`, detail: planned(entry) },
  'plan-cancelled': (entry) => ({ did: 'cancelled a planned change of', detail: planned(entry) }),
  'plan-not-made': ({ before, ...entry }) => ({
    did: 'could not be made for',
    // Written by this version, or one that knows more problems.
    detail: [planned({ ...entry, before: null }), problems[before as ScheduleProblem] ?? before]
      .filter(Boolean)
      .join(': '),
  }),
  'folder-renamed': (entry) => ({ did: `renamed a folder of ${codes(entry)}`, ...change(entry) }),
  'folder-removed': ({ before, ...entry }) => ({
    did: `removed the folder ${before ?? ''} of ${codes({ ...entry, before })}`,
  }),
  'folder-domain-changed': (entry) => ({
    did: `changed the domain of new codes in the folder ${what(entry)}`,
    ...to(entry),
  }),
  'codes-destination-changed': (entry) => ({
    did: `changed the destination of ${codes(entry)}`,
    ...(entry.before === null ? to(entry) : changeOfUrl(entry)),
  }),
  'codes-moved': (entry) => ({
    did: `moved ${codes(entry)}`,
    rest: entry.after === null ? 'out of their folders' : `to the folder ${entry.after}`,
  }),
  'codes-paused': (entry) => ({ did: `paused ${codes(entry)}` }),
  'codes-resumed': (entry) => ({ did: `resumed ${codes(entry)}` }),
  'codes-query-on': (entry) => ({ did: `set ${codes(entry)} to pass the query on` }),
  'codes-query-off': (entry) => ({ did: `set ${codes(entry)} not to pass the query on` }),
  'codes-archived': (entry) => ({ did: `archived ${codes(entry)}` }),
  'codes-unarchived': (entry) => ({ did: `took ${codes(entry)} out of the archive` }),
  'codes-edit-undone': (entry) => ({ did: `undid a change of ${codes(entry)}` }),
  'codes-printed': (entry) => ({ did: `printed ${codes(entry)}` }),
  'codes-received': () => ({ did: 'gave the codes of a deleted account to this one' }),
  'table-started': (entry) => ({ did: `started to create ${codes(entry)} from a table` }),
  'table-stopped': () => ({ did: 'stopped the codes of a table' }),
  'links-imported': (entry) => ({ did: `imported ${formatCount(entry.count ?? 0, 'link')}` }),
  'design-changed': () => ({ did: 'changed the design of new codes' }),
  'design-saved': (entry) => ({ did: `saved the design ${what(entry)}` }),
  'design-renamed': (entry) => ({ did: 'renamed a design', ...change(entry) }),
  'design-removed': (entry) => ({ did: `removed the design ${what(entry)}` }),
  'signed-in': ({ after }) => ({
    did: 'signed in',
    ...(after !== null && after !== '' && { detail: after }),
  }),
  'browser-added': ({ after }) => ({
    did: 'signed in with a new browser',
    ...(after !== null && after !== '' && { detail: after }),
  }),
  'second-factor-failed': () => ({ did: 'gave a wrong code of the second factor' }),
  'sessions-ended': () => ({ did: 'signed out other browsers' }),
  'sign-in-link-made': () => ({ did: 'made a one-time link to sign in' }),
  'sign-in-link-used': () => ({ did: 'set a password with a one-time link' }),
  'password-changed': () => ({ did: 'changed the password' }),
  'second-factor-on': () => ({ did: 'turned on the second factor' }),
  'second-factor-off': () => ({ did: 'turned off the second factor' }),
  'recovery-codes-made': () => ({ did: 'made new recovery codes' }),
  'recovery-code-used': () => ({ did: 'used a recovery code' }),
  'key-made': (entry) => ({ did: `made the API key …${what(entry)}` }),
  'key-ended': (entry) => ({ did: `ended the replaced API key …${what(entry)}` }),
  'key-revoked': (entry) => ({ did: `revoked the API key …${what(entry)}` }),
  'identity-connected': (entry) => ({ did: `connected ${what(entry)} to sign in` }),
  'identity-removed': () => ({ did: 'disconnected the provider to sign in' }),
  'person-invited': (entry) => ({ did: `invited ${person(entry)} as ${entry.after ?? ''}` }),
  'invitation-cancelled': (entry) => ({ did: `took back the invitation of ${person(entry)}` }),
  'person-joined': (entry) => ({ did: `joined as ${entry.after ?? ''}` }),
  'role-changed': (entry) => ({
    did: `changed the role of ${person(entry)}`,
    ...change(entry),
  }),
  'person-removed': (entry) => ({ did: `removed ${person(entry)}` }),
  'person-left': () => ({ did: 'left' }),
  'account-created': () => ({ did: 'created the account' }),
  'account-plan-changed': ({ after }) => ({
    did: 'changed when the plan of the account ends',
    detail: after === null ? 'never' : `→ ${after}`,
  }),
  'operator-made': () => ({ did: 'made the account an operator' }),
  'operator-removed': () => ({ did: 'took the right to operate the server from the account' }),
  'email-changed': (entry) => ({ did: 'changed the e-mail address', ...change(entry) }),
  'time-zone-changed': (entry) => ({ did: 'changed the time zone', ...to(entry) }),
  'visitor-texts-changed': () => ({ did: 'changed the page of paused codes' }),
  'domain-changed': (entry) => ({ did: 'changed the domain of new codes', ...to(entry) }),
  'domain-given': (entry) => ({ did: `let this account use the domain ${what(entry)}` }),
  'domain-taken': (entry) => ({
    did: `took the domain ${what(entry)} from the new codes of this account`,
  }),
};
