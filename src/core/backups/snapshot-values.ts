import { formatCount } from '../../lib/numbers.ts';
import { ownerlessEmail } from '../accounts/account.ts';
import { activityKinds, parseActor, topics } from '../accounts/activity/activity.ts';
import { parseEmail } from '../accounts/email.ts';
import { isVerifiableHash } from '../accounts/password/password.ts';
import { isStoredTotpSecret } from '../accounts/second-factor.ts';
import { stepKinds } from '../accounts/sign-in/step.ts';
import { isTimeZone } from '../accounts/time-zone.ts';
import { batchStates } from '../batches/batch.ts';
import { bulkEditKinds, bulkEditStates, editOutcomes } from '../batches/bulk-edit.ts';
import { parseCode, parseCodeOrPath } from '../codes/code.ts';
import { labelNames, mapLabels } from '../codes/fields.ts';
import { parseTypedPath } from '../codes/path.ts';
import { qrStatuses } from '../codes/qr.ts';
import { scheduledActions, scheduleProblems } from '../codes/schedule/change.ts';
import { isWallTime, periods } from '../codes/schedule/wall-time.ts';
import { isStoredDestination, maxDestinationLength } from '../codes/urls/destination.ts';
import { splitScope } from '../codes/urls/resolve.ts';
import { storedLogoBounds } from '../designs/design.ts';
import { isLogoPlacement, isStoredDesign } from '../designs/stored-design.ts';
import { DatabaseUnusable } from '../errors.ts';
import {
  type Snapshot,
  type SnapshotColumn,
  type SnapshotRow,
  type SnapshotTableName,
  type SnapshotValue,
  snapshotTables,
  toBatch,
} from './snapshot.ts';

/** Tells whether Waymark, in any version, could have stored a value. */
type Check = (value: SnapshotValue) => boolean;

const integer =
  (min: number, max: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
const text =
  (accepts: (text: string) => boolean = () => true, maxLength = 10_000): Check =>
  (value) =>
    typeof value === 'string' &&
    value.length <= maxLength &&
    !value.includes('\0') &&
    accepts(value);
const bytes =
  (minLength: number, maxLength = Number.POSITIVE_INFINITY): Check =>
  (value) =>
    value instanceof Uint8Array && value.length >= minLength && value.length <= maxLength;
const oneOf = (values: readonly string[]) => text((value) => values.includes(value));
const matching = (pattern: RegExp) => text((value) => pattern.test(value));
const json = (accepts: (value: Readonly<Record<string, unknown>>) => boolean) =>
  text((value) => {
    const parsed = parseJson(value);
    return typeof parsed === 'object' && parsed !== null && accepts({ ...parsed });
  });

/** Returns whether a parser accepts a text. */
const parses = (parse: (text: string) => unknown) => (value: string) => {
  try {
    parse(value);
    return true;
  } catch {
    return false;
  }
};

// What `Date` can represent. All other numbers are smaller.
const number = integer(-8.64e15, 8.64e15);
// A hit's key is eight times the id, and must be exact.
const id = integer(0, 2 ** 48);
const sha256 = bytes(32, 32);
const sha256Hex = matching(/^[0-9a-f]{64}$/);

/** Returns the check of any column of a type. Names say which are ids and which are hashes. */
function checkOf({ name, type }: SnapshotColumn): Check {
  if (type === 'integer') return /(?:^|_)id$/.test(name) ? id : number;
  const isHash = /(?:^|_)hash$/.test(name);
  if (type === 'text') return isHash ? sha256Hex : text();
  return isHash ? sha256 : bytes(0);
}

const email = text((value) => parseEmail(value) === value);
// A path that was chosen before its rules became stricter stays.
const labels = mapLabels((name, { parse }) =>
  text(parses(name === 'path' ? (stored) => parseTypedPath(splitScope(stored).path) : parse)),
);
const destination = text(isStoredDestination, 2 * maxDestinationLength);
/** A short link of this server, or the prefix of one, which operators choose. */
const link = text((value) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value));

/**
 * The checks of what would do harm with another value of its type: texts that browsers follow, that prove who somebody
 * is, that are drawn, or that are the key of a list. What a value must be by itself is a constraint in `sql/tables.ts`.
 */
const columnChecks: Partial<Record<SnapshotTableName, Readonly<Record<string, Check>>>> = {
  accounts: {
    email: (value) => email(value) || value === ownerlessEmail,
    password_hash: text(isVerifiableHash),
    time_zone: text(isTimeZone),
    paused_link: destination,
    totp_secret: text(isStoredTotpSecret),
    recovery_codes: matching(/^(?:[0-9a-f]{64}(?: (?=.)|$)){0,10}$/),
  },
  designs: { logo_png: bytes(1, storedLogoBounds.bytes) },
  pictures: { content: bytes(1, storedLogoBounds.bytes) },
  sign_in_steps: { kind: oneOf(stepKinds) },
  invitations: { email },
  qrs: {
    code: text((value) => parseCodeOrPath(value) === value),
    ...labels,
    logo_placement: json(isLogoPlacement),
    short_link: link,
    // A stopped code has none.
    destination: (value) => value === '' || destination(value),
    status_before_block: oneOf(qrStatuses),
  },
  former_destinations: { destination },
  activity: {
    actor: text((stored) => parseActor(stored) !== null),
    topic: oneOf(topics),
    kind: oneOf(activityKinds),
  },
  planned_changes: {
    action: oneOf(scheduledActions),
    destination,
    first_local: text(isWallTime),
    every: oneOf(periods),
    problem: oneOf(scheduleProblems),
  },
  batches: { state: oneOf(batchStates) },
  bulk_edits: {
    kind: oneOf(bulkEditKinds),
    state: oneOf(bulkEditStates),
    actor: text((stored) => parseActor(stored) !== null),
  },
  bulk_edit_changes: { outcome: oneOf(editOutcomes) },
  short_url_prefixes: { prefix: link },
  served_prefixes: { prefix: link },
  rules: { decision: oneOf(['allow', 'block']) },
  list_sources: {
    source: json(({ name, url, addedAtMs }) => isText(name) && isHttps(url) && isTime(addedAtMs)),
    last_update: json(
      ({ outcome, checkedAtMs, reason }) =>
        ['updated', 'unchanged', 'failed'].includes(String(outcome)) &&
        isTime(checkedAtMs) &&
        (reason === null || isText(reason)),
    ),
  },
  threat_lists: {
    list: json(
      ({ source, entries, importedAtMs }) =>
        isText(source) && Number.isSafeInteger(entries) && isTime(importedAtMs),
    ),
  },
  threat_list_entries: { hash: bytes(1, 32) },
};

/** Checks of values that depend on another column, which is named last. */
const rowChecks: Partial<
  Record<SnapshotTableName, { of: readonly string[]; isAccepted(...values: SnapshotRow): boolean }>
> = {
  qrs: {
    of: ['design_id', 'code'],
    // Only imported links have other paths.
    isAccepted: (designId, code) => designId === null || parseCode(String(code)) === code,
  },
  designs: {
    of: ['logo_png', 'settings'],
    isAccepted: (logoPng, settings) =>
      isStoredDesign(parseJson(String(settings)), logoPng instanceof Uint8Array ? logoPng : null),
  },
  batch_rows: {
    of: [...labelNames, 'problem'],
    // The labels of a row with a problem are as in the file.
    isAccepted: (...values) =>
      values.at(-1) !== null ||
      labelNames.every((label, at) => {
        const value = values[at] ?? null;
        return value === null || labels[label](value);
      }),
  },
};

const isText = (value: unknown) => typeof value === 'string' && value.length <= 10_000;
const isTime = (value: unknown) => typeof value === 'number' && number(value);
const isHttps = (value: unknown) =>
  isText(value) && URL.parse(String(value))?.protocol === 'https:';

/** Checks rows that come from another database. */
export interface RowChecks {
  /**
   * Returns a function that finds the first value of a row that no version of Waymark can have stored.
   * The function returns its index and counts it, or returns null. Whether a value may be null, the database knows. A
   * table that an upgrade drops may have any values.
   */
  of(table: string, columns: readonly SnapshotColumn[]): (row: SnapshotRow) => number | null;
  /** Counts a row that the database refuses, with what breaks a constraint: a column, or several. */
  refuse(table: string, columns: readonly SnapshotColumn[], row: SnapshotRow, broken: string): void;
  /** Returns what was refused, one sentence for each kind of value. */
  refusals(): string[];
}

const isSnapshotTable = (table: string): table is SnapshotTableName => table in snapshotTables;

/** Creates checks that count what they refuse. */
export function createRowChecks(): RowChecks {
  const refused = new Map<
    string,
    { what: readonly [string, string]; examples: string[]; rows: number }
  >();
  const count = (
    table: string,
    column: string,
    columns: readonly SnapshotColumn[],
    row: SnapshotRow,
  ) => {
    const key = `${table}.${column}`;
    const entry = refused.get(key) ?? { what: phraseOf(table, column), examples: [], rows: 0 };
    entry.rows++;
    if (entry.examples.length < maxExamples) entry.examples.push(exampleOf(column, columns, row));
    refused.set(key, entry);
  };
  return {
    of: (table, columns) => {
      if (!isSnapshotTable(table)) return () => null;
      const harmful = columnChecks[table] ?? {};
      const checks = columns.map((column) => harmful[column.name] ?? checkOf(column));
      const across = rowChecks[table];
      const names = columns.map(({ name }) => name);
      const places = across?.of.map((column) => names.indexOf(column)) ?? [];
      const isNamed = places.at(-1) !== -1;
      return (row) => {
        let at = checks.findIndex((check, index) => {
          const value = row[index] ?? null;
          return value !== null && !check(value);
        });
        // A column that the version of the table lacks is empty.
        if (at === -1 && across !== undefined && isNamed)
          if (!across.isAccepted(...places.map((place) => row[place] ?? null)))
            at = places.at(-1) ?? -1;
        if (at === -1) return null;
        count(table, names[at] ?? '', columns, row);
        return at;
      };
    },
    refuse: (table, columns, row, broken) => count(table, broken, columns, row),
    refusals: () =>
      Array.from(refused.values(), ({ what: [one, many], examples, rows }) => {
        const more = rows > examples.length ? ', …' : '';
        return `${formatCount(rows, one, many)} that Waymark does not accept: ${examples.join(', ')}${more}`;
      }),
  };
}

const maxExamples = 5;
const maxExampleLength = 60;

/**
 * Leaves out rows with values that Waymark cannot have stored.
 * After the last table, throws what was left out.
 *
 * @throws DatabaseUnusable from the rows of the last table
 */
export function checkSnapshot(snapshot: Snapshot): Snapshot {
  const checks = createRowChecks();
  const tables = snapshot.tables.map((table, index) => ({
    ...table,
    batches: async function* () {
      const refusedColumn = checks.of(table.name, table.columns);
      for await (const batch of table.batches()) {
        const accepted = batch.rows.filter((row) => refusedColumn(row) === null);
        yield accepted.length === batch.rows.length ? batch : toBatch(accepted);
      }
      if (index === snapshot.tables.length - 1)
        rejectRefused(checks, 'The database', 'Correct them, or move a repaired copy.');
    },
  }));
  return { tables };
}

/**
 * @param source what has the rows, for people
 * @param advice what to do, in a sentence
 * @throws DatabaseUnusable when rows were refused
 */
export function rejectRefused(checks: RowChecks, source: string, advice: string): void {
  const refusals = checks.refusals();
  if (refusals.length === 0) return;
  throw new DatabaseUnusable(
    `${source} has values that Waymark cannot have stored, so nothing was changed. ${refusals.join('. ')}. ${advice}`,
  );
}

/** Names rows with a refused value: `code has a destination`, `codes have a destination`. */
function phraseOf(table: string, column: string): readonly [string, string] {
  const noun = { qrs: 'code', accounts: 'account', designs: 'design' }[table];
  const [one, many] =
    noun === undefined ? [`row of ${table}`, `rows of ${table}`] : [noun, `${noun}s`];
  const value = column.replaceAll('_', ' ');
  const isPlural = /^(?:values|settings|scans|hits|recovery codes)$/.test(value);
  const article = isPlural ? '' : /^[aeio]/.test(value) ? 'an ' : 'a ';
  return [`${one} has ${article}${value}`, `${many} have ${article}${value}`];
}

/** Names a row by its code, address or key, with the refused value if it is a text that is no secret. */
function exampleOf(column: string, columns: readonly SnapshotColumn[], row: SnapshotRow): string {
  const names = columns.map(({ name }) => name);
  const cell = (name: string) => row[names.indexOf(name)];
  const key = ['code', 'email', 'id', 'qr_id', 'account_id'].find((name) => names.includes(name));
  const value = cell(column);
  const shown =
    typeof value === 'string' && !/hash|secret|recovery/.test(column) && column !== key
      ? ` (${printable(value)})`
      : '';
  return `${printable(String(cell(key ?? names[0] ?? '')))}${shown}`;
}

/** Shortens a text and replaces what could change a terminal's display. */
export function printable(text: string): string {
  const short = [...text.slice(0, 2 * maxExampleLength)].slice(0, maxExampleLength).join('');
  return `${short.replaceAll(/[^\P{C}]|[\p{Zl}\p{Zp}]/gu, '?')}${short.length < text.length ? '…' : ''}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
