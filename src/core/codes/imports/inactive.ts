import { headerKey, headerKeys, wordsOf } from './header-words.ts';

/** Why a link does not simply redirect at the other service. It is imported paused. */
export type InactiveReason =
  | 'archived'
  | 'banned'
  | 'deleted'
  | 'disabled'
  | 'expired'
  | 'not started'
  | 'password'
  | 'unknown'
  | 'used up';

/** Bounds in time and number after which the other service does not redirect, or before. */
const boundNames = ['starts', 'expires', 'maxScans'] as const;
export type Bound = (typeof boundNames)[number];

type Flag = 'archived' | 'banned' | 'deleted' | 'disabled' | 'expired' | 'password';

/** Words of fields that say in which state a link is: the worst state first. */
const stateWords = {
  banned: wordsOf(
    'banned, ban, blocked, block, suspended, flagged, malicious, unsafe, spam, gesperrt, bloqué, bloqueado, bloccato',
  ),
  deleted: wordsOf(
    'deleted, trashed, trash, removed, gelöscht, supprimé, eliminado, excluído, eliminato, verwijderd, usunięty',
  ),
  disabled: wordsOf(
    'disabled, disable, paused, pause, deactivated, deactivate, inactive, stopped, unpublished, locked, draft, ' +
      'inaktiv, deaktiviert, pausiert, inactif, désactivé, en pause, inactivo, desactivado, pausado, inativo, desativado, ' +
      'inattivo, disattivato, in pausa, inactief, uitgeschakeld, gepauzeerd, nieaktywny, wyłączony, wstrzymany, неактивен',
  ),
  expired: wordsOf('expired, abgelaufen, expiré, caducado, expirado, scaduto, verlopen, wygasły'),
  archived: wordsOf(
    'archived, archive, hidden, archiviert, archivé, archivado, arquivado, archiviato, gearchiveerd, zarchiwizowany',
  ),
  password: wordsOf(
    'password, password hash, password protect, passcode, passphrase, access code, secret, secret key, protected, ' +
      'passwort, kennwort, mot de passe, contraseña, senha, wachtwoord, hasło, пароль',
  ),
  active: wordsOf(
    'active, activated, enabled, enable, published, live, alive, online, aktiv, actif, activo, ativo, attivo, actief, ' +
      'aktywny, активен',
  ),
  status: wordsOf('status, row status, statut, статус, durum, 狀態, 状态, ステータス, 상태'),
  // Also that of an address.
  state: wordsOf('state, zustand, état, estado, stato, stan'),
  // Not of a start and an end alone, which may be those of an event.
  starts: wordsOf(
    'valid since, valid from, starts, start date, start datetime, active from, active since',
  ),
  expires: wordsOf(
    'expires, expire, expiration, expiry, expired at, expired on, valid until, valid to, active until, ends, end date, end datetime, ' +
      'deactivation, deactivates, gültig bis, ablaufdatum, läuft ab, date d’expiration, expire le, fecha de caducidad, ' +
      'fecha de vencimiento, data de expiração, data di scadenza, scade il, vervaldatum, data wygaśnięcia, срок действия',
  ),
  maxScans: wordsOf(
    'max visits, max views, max hits, max clicks, max scans, max uses, maximum visits, maximum clicks, maximum scans, ' +
      'visits limit, visit limit, views limit, view limit, clicks limit, click limit, scans limit, scan limit, hit limit, usage limit, ' +
      'expire at views, expire at clicks, expiry clicks, expiration clicks, expires after clicks, expire after visits, expire after views, ' +
      'expire after clicks, max aufrufe, max klicks',
  ),
} as const;
type Meaning = keyof typeof stateWords;

// The cast is safe: these are the keys of the constant.
const meanings = Object.keys(stateWords) as readonly Meaning[];
const meaningOfKey = new Map(
  meanings.flatMap((meaning) => stateWords[meaning].map((word) => [headerKey(word), meaning])),
);
const flags: readonly Flag[] = ['banned', 'deleted', 'disabled', 'expired', 'archived', 'password'];
const isFlag = (meaning: Meaning | null): meaning is Flag => flags.some((flag) => flag === meaning);

/** Objects in which services keep what a link does, and the fields in which they keep a word. */
const container =
  /^(?:attributes|config|limits|meta|options|restrictions|schedule|security|settings)\.|\.(?:code|label|name|value)$/gi;

/** Returns what the name of a field, such as `isArchived` or `disabled_at`, or a word says of a link. */
function meaningOf(name: string): Meaning | null {
  const keys = headerKeys(name.replaceAll(container, ''));
  return keys.map(meaningOfHeader).find((meaning) => meaning !== null) ?? null;
}

/** Looks up a header, without the words around the one that matters. */
function meaningOfHeader(header: string): Meaning | null {
  const whole = meaningOfKey.get(header);
  if (whole !== undefined) return whole;
  let key = header.replace(
    /^(?:is|has|requires?|current|redirect|campaign|link|url|qr|code|short)+/,
    '',
  );
  for (;;) {
    const found = meaningOfKey.get(key);
    if (found !== undefined) return found;
    const shorter = key.replace(
      /(?:at|on|in|and|date|time|utc|flag|status|state|set|enabled|protected|protection|required)$/,
      '',
    );
    if (shorter === key) return null;
    key = shorter;
  }
}

// How people and programs write that there is none, and Excel in several languages.
const none = new Set([
  '',
  ...wordsOf(
    '-, –, —, 0, -1, f, false, falsch, faux, falso, onwaar, fałsz, ложь, n, nein, nee, nie, não, нет, off, nan, null, nil, none, ' +
      'undefined, unlimited, \\n, n/a, [], {}',
  ),
]);
const negations = new Set(wordsOf('no, non, not, never, without'));
const negated = new Set(
  wordsOf(
    'active, archived, available, blocked, date, deleted, disabled, enabled, end, expire, expired, expires, expiration, expiry, ' +
      'limit, longer, password, protected, protection, published, required, set',
  ),
);
// Those of databases and of Go.
const zeroTime = /^(?:0000|0001|1970)-0[01]-0[01]/;

/** Returns whether a value says that there is none. */
export function isNone(value: string): boolean {
  const text = value.toLowerCase();
  const [first = '', ...others] = text.split(' ');
  return (
    none.has(text) ||
    zeroTime.test(text) ||
    (negations.has(first) && others.every((word) => negated.has(word)))
  );
}

const activeWords = new Set(
  wordsOf(
    'activated, active, aktiv, activo, actif, ativo, attivo, actief, enabled, enable, on, live, online, normal, ok, published, ' +
      'public, approved, running, default, valid, ready, working, available, open, safe, success, 1, t, true, y, yes, ja, oui, ' +
      'si, sim, tak, да, wahr, vrai, verdadero, verdadeiro, vero, waar, prawda, истина, aktywny, aktywna, aktywne, aktif, ' +
      'активен, активна, активно, veröffentlicht, publié, publicado, pubblicato, 啟用, 启用, 有效, 有効, 公開, 활성',
  ).map(headerKey),
);
/** Returns whether a value says that a link is active: a word, or the number of a redirect. */
const isActive = (value: string) =>
  value === '' || activeWords.has(headerKey(value)) || /^[23]\d\d\b/.test(value);

/** What the fields of a link say about its state. */
interface LinkState extends Readonly<Partial<Record<Bound, string>>> {
  readonly inactive: InactiveReason | null;
}

/** Reads why links are not active. */
export interface StateReader {
  /** Positions of the fields that are read whole. A bound is not: an imported link has none. */
  readonly columns: readonly number[];
  read(valueAt: (column: number) => string): LinkState;
}

/** Returns the reader of the states of links, by the names of their fields. */
export function stateReader(names: readonly string[]): StateReader {
  const fields = names.flatMap((name, column) => {
    const meaning = meaningOf(name);
    return meaning === null ? [] : [{ meaning, column }];
  });
  fields.sort((one, other) => meanings.indexOf(one.meaning) - meanings.indexOf(other.meaning));
  return {
    columns: fields.flatMap(({ meaning, column }) => (isBound(meaning) ? [] : [column])),
    read: (valueAt) => {
      const bounds: Partial<Record<Bound, string>> = {};
      let inactive: InactiveReason | null = null;
      for (const { meaning, column } of fields) {
        const value = valueAt(column);
        if (!isBound(meaning)) inactive ??= reasonOf(meaning, value);
        else if (!isNone(value)) bounds[meaning] ??= value;
      }
      return { ...bounds, inactive };
    },
  };
}

function isBound(meaning: Meaning): meaning is Bound {
  return boundNames.some((name) => name === meaning);
}

/** Returns why a link is not active by the value of one field, or null. Unknown states are a reason. */
function reasonOf(meaning: Exclude<Meaning, Bound>, value: string): InactiveReason | null {
  if (isFlag(meaning)) return isNone(value) || headerKey(value) === 'active' ? null : meaning;
  if (isActive(value)) return null;
  const word = meaningOf(value);
  if (isFlag(word)) return word;
  if (isNone(value)) return 'disabled';
  // It became active at a time.
  if (meaning === 'active' && /^\d{4,}/.test(value)) return null;
  return meaning === 'state' ? null : 'unknown';
}
