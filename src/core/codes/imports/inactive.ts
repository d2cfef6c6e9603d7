import { headerKey, wordsOf } from './header-words.ts';

/** Why a link does not simply redirect at the other service. It is imported paused. */
export type InactiveReason =
  | 'archived'
  | 'banned'
  | 'deleted'
  | 'disabled'
  | 'expired'
  | 'not started'
  | 'password'
  | 'used up';

const noes = /^(?:|0|f|false|n|no|nein|non|never|none|null|\\n|off|0000-00-00.*)$/i;
const isYes = (value: string) => !noes.test(value);
const isNo = (value: string) => value !== '' && noes.test(value);
const isInactive = (value: string) =>
  /^(?:inactive|disabled|deactivated|paused|stopped|suspended|archived|banned|blocked|deleted|trash(?:ed)?|expired|off)$/i.test(
    value,
  );

/** Fields that say in which state a link is, by the worst state first. */
const stateFields: readonly (readonly [
  InactiveReason,
  names: readonly string[],
  holds: (value: string) => boolean,
])[] = [
  ['banned', wordsOf('banned, is banned, blocked, is blocked'), isYes],
  ['deleted', wordsOf('deleted, deleted at, is deleted, trashed'), isYes],
  [
    'disabled',
    wordsOf('disabled, disabled at, is disabled, paused, is paused, deactivated, inactive'),
    isYes,
  ],
  ['disabled', wordsOf('active, is active, enabled, is enabled'), isNo],
  ['disabled', wordsOf('status, link status'), isInactive],
  ['expired', wordsOf('expired, is expired'), isYes],
  ['archived', wordsOf('archived, archived at, is archived'), isYes],
  [
    'password',
    wordsOf(
      'password, has password, is password, password protected, is password protected, password hash, password enabled, requires password',
    ),
    isYes,
  ],
];

/** Reads why links are not active. */
export interface StateReader {
  /** Positions of the fields that it reads. */
  readonly columns: readonly number[];
  read(valueAt: (column: number) => string): InactiveReason | null;
}

/** Returns the reader of the states of links, by the names of their fields. */
export function stateReader(names: readonly string[]): StateReader {
  const keys = names.map(headerKey);
  const found = stateFields.flatMap(([reason, words, holds]) => {
    const wanted = new Set(words.map(headerKey));
    return keys.flatMap((key, column) => (wanted.has(key) ? [{ reason, holds, column }] : []));
  });
  return {
    columns: found.map(({ column }) => column),
    read: (valueAt) => found.find(({ holds, column }) => holds(valueAt(column)))?.reason ?? null,
  };
}
