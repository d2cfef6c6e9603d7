import type { Actor } from '../../ports.ts';

/** What events are about. Lists are filtered by it. */
export const topics = ['codes', 'designs', 'people', 'settings'] as const;
export type Topic = (typeof topics)[number];

/** All kinds of events, and their topics. A stored entry keeps the topic that its kind had. */
const topicsOfKinds = {
  'code-created': 'codes',
  'destination-changed': 'codes',
  'name-changed': 'codes',
  'folder-changed': 'codes',
  'path-changed': 'codes',
  'label-changed': 'codes',
  'code-paused': 'codes',
  'code-resumed': 'codes',
  'code-archived': 'codes',
  'code-unarchived': 'codes',
  'code-blocked': 'codes',
  'code-unblocked': 'codes',
  'plan-added': 'codes',
  'plan-cancelled': 'codes',
  'plan-not-made': 'codes',
  'folder-renamed': 'codes',
  'folder-removed': 'codes',
  'folder-domain-changed': 'codes',
  'codes-destination-changed': 'codes',
  'codes-moved': 'codes',
  'codes-paused': 'codes',
  'codes-resumed': 'codes',
  'codes-archived': 'codes',
  'codes-unarchived': 'codes',
  'codes-query-on': 'codes',
  'codes-query-off': 'codes',
  'codes-edit-undone': 'codes',
  'codes-printed': 'codes',
  'codes-received': 'codes',
  'table-started': 'codes',
  'table-stopped': 'codes',
  'links-imported': 'codes',
  'design-changed': 'designs',
  'design-saved': 'designs',
  'design-renamed': 'designs',
  'design-removed': 'designs',
  'signed-in': 'people',
  'browser-added': 'people',
  'second-factor-failed': 'people',
  'sessions-ended': 'people',
  'sign-in-link-made': 'people',
  'sign-in-link-used': 'people',
  'password-changed': 'people',
  'second-factor-on': 'people',
  'second-factor-off': 'people',
  'recovery-codes-made': 'people',
  'recovery-code-used': 'people',
  'key-made': 'people',
  'key-ended': 'people',
  'key-revoked': 'people',
  'identity-connected': 'people',
  'identity-removed': 'people',
  'person-invited': 'people',
  'invitation-cancelled': 'people',
  'person-joined': 'people',
  'role-changed': 'people',
  'person-removed': 'people',
  'person-left': 'people',
  'account-created': 'settings',
  'account-plan-changed': 'settings',
  'operator-made': 'settings',
  'operator-removed': 'settings',
  'email-changed': 'people',
  'time-zone-changed': 'settings',
  'visitor-texts-changed': 'settings',
  'domain-changed': 'settings',
  'domain-given': 'settings',
  'domain-taken': 'settings',
} as const satisfies Readonly<Record<string, Topic>>;

export type ActivityKind = keyof typeof topicsOfKinds;
// The cast is safe: they are its own keys.
export const activityKinds = Object.keys(topicsOfKinds) as ActivityKind[];

/** Returns what a kind of events is about. */
export function topicOf(kind: ActivityKind): Topic {
  return topicsOfKinds[kind];
}

/** Something that happened in an account. Texts are cut when they are stored. Must not have secrets. */
export interface ActivityEvent {
  readonly kind: ActivityKind;
  /** The code that it is about. */
  readonly qrId?: number;
  /** What else it is about: the name of a design, a label, or the e-mail address of a person. */
  readonly subject?: string;
  readonly before?: string | null;
  readonly after?: string | null;
  /** Number of codes, for an event of many. */
  readonly count?: number;
}

/** How long entries are kept. */
export const activityDays = 400;
/** Entries that an account keeps at most. */
export const maxActivityEntries = 1_000_000;
/** What a text of an entry is cut to, in UTF-16 units: enough to recognise an address. */
export const maxActivityTextLength = 200;

/** Returns a text as it is stored: cut at the end, with an ellipsis. */
export function shortText(text: string): string {
  const isWhole = text.length <= maxActivityTextLength;
  return (isWhole ? text : `${text.slice(0, maxActivityTextLength - 1)}…`).toWellFormed();
}

/**
 * Returns an actor as it is stored:
 * `person:12`, `operator:3`, `key:4f2a`, `plan:12`, `plan` or `command`.
 */
export function storedActor(actor: Actor): string {
  if (actor.kind === 'command') return actor.kind;
  const name = actor.kind === 'key' ? actor.lastFour : actor.accountId;
  return name === null ? actor.kind : `${actor.kind}:${name}`;
}

/** Returns the actor of a stored form, or null if it is none. */
export function parseActor(stored: string): Actor | null {
  if (stored === 'command') return { kind: stored };
  if (stored === 'plan') return { kind: stored, accountId: null };
  const [, lastFour] = /^key:([\w-]{4})$/.exec(stored) ?? [];
  if (lastFour !== undefined) return { kind: 'key', lastFour };
  const [, kind, id] = /^(person|operator|plan):(\d{1,15})$/.exec(stored) ?? [];
  if (kind === 'person' || kind === 'operator' || kind === 'plan')
    return { kind, accountId: Number(id) };
  return null;
}

/** Returns the account of the person that an actor names, or null. */
export function personOf(actor: Actor | null): number | null {
  return actor !== null && 'accountId' in actor ? actor.accountId : null;
}
