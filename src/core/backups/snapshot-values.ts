import { formatCount } from '../../lib/numbers.ts';
import { ownerlessEmail, parseEmail } from '../accounts/account.ts';
import {
  activityKinds,
  maxActivityTextLength,
  parseActor,
  topics,
} from '../accounts/activity/activity.ts';
import { isVerifiableHash } from '../accounts/password/password.ts';
import { memberRoles } from '../accounts/people/role.ts';
import { plannedActions, plannedProblems } from '../accounts/planned-changes/planned-change.ts';
import { isWallTime, periods } from '../accounts/planned-changes/wall-time.ts';
import { isStoredTotpSecret } from '../accounts/second-factor.ts';
import { maxIssuerLength, maxSubjectLength } from '../accounts/sign-in/provider.ts';
import { stepKinds } from '../accounts/sign-in/step.ts';
import { isTimeZone } from '../accounts/time-zone.ts';
import { batchStates } from '../batches/batch.ts';
import { bulkEditKinds } from '../batches/bulk-edit.ts';
import { tableBounds } from '../batches/table.ts';
import { parseCode, parseCodeOrPath } from '../codes/code.ts';
import { labelNames, mapLabels } from '../codes/fields.ts';
import { parseTypedPath } from '../codes/imports/path.ts';
import { qrStatuses } from '../codes/qr.ts';
import { isStoredDestination, maxDestinationLength } from '../codes/urls/destination.ts';
import { storedLogoBounds } from '../designs/design.ts';
import { isLogoPlacement, isStoredDesign } from '../designs/stored-design.ts';
import { DatabaseUnusable } from '../errors.ts';
import { maxNameLength, maxPausedMessageLength, parseName } from '../labels.ts';
import { hitKinds } from '../scans/hit.ts';
import {
  type Snapshot,
  type SnapshotRow,
  type SnapshotTableName,
  type SnapshotValue,
  toBatch,
} from './snapshot.ts';

/** Tells whether Waymark, in any version, could have stored a value. */
type Check = (value: SnapshotValue) => boolean;

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (values: readonly SnapshotValue[]): Check =>
  (value) =>
    values.includes(value);
const integer =
  (min: number, max: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const text =
  (maxLength = 10_000, accepts: (text: string) => boolean = () => true): Check =>
  (value) =>
    typeof value === 'string' &&
    value.length <= maxLength &&
    !value.includes('\0') &&
    accepts(value);
const bytes =
  (minLength: number, maxLength: number): Check =>
  (value) =>
    value instanceof Uint8Array && value.length >= minLength && value.length <= maxLength;
const json =
  (accepts: (value: Readonly<Record<string, unknown>>) => boolean): Check =>
  (value) => {
    const parsed = typeof value === 'string' ? parseJson(value) : null;
    return typeof parsed === 'object' && parsed !== null && accepts({ ...parsed });
  };

/** Returns whether a parser accepts a text. */
const parses = (parse: (text: string) => unknown) => (value: string) => {
  try {
    parse(value);
    return true;
  } catch {
    return false;
  }
};

// A hit's key is eight times the id, and must be exact.
const id = integer(0, 2 ** 48);
const count = integer(0, Number.MAX_SAFE_INTEGER);
/** What `Date` can represent. */
const time = integer(-8.64e15, 8.64e15);
const sha256 = bytes(32, 32);
const activityText = text(maxActivityTextLength);
const sha256Hex = matching(/^[0-9a-f]{64}$/);
const flag = oneOf([0, 1]);
const email = text(254, (value) => parseEmail(value) === value);
const name = text(10_000, parses(parseName));
// A path that was chosen before its rules became stricter stays.
const labels = mapLabels((name, { parse }) =>
  orNull(text(10_000, parses(name === 'path' ? parseTypedPath : parse))),
);
const destination = text(2 * maxDestinationLength, isStoredDestination);
/** A short link of this server, or the prefix of one, which operators choose. */
const link = text(
  5000,
  (value) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value),
);
const kind = integer(0, hitKinds.length - 1);

/** The checks of all columns, of earlier versions too. */
export const columnChecks: Readonly<Record<SnapshotTableName, Readonly<Record<string, Check>>>> = {
  accounts: {
    id,
    email: (value) => email(value) || value === ownerlessEmail,
    password_hash: orNull(text(200, isVerifiableHash)),
    is_operator: flag,
    plan_until: orNull(time),
    time_zone: orNull(text(100, isTimeZone)),
    business_name: orNull(text(2 * maxNameLength)),
    paused_message: orNull(text(2 * maxPausedMessageLength)),
    paused_link: orNull(destination),
    paused_link_flagged: flag,
    qr_count: count,
    default_design_id: orNull(id),
    bulk_edit_until: time,
    totp_secret: orNull(text(450, isStoredTotpSecret)),
    totp_step: count,
    recovery_codes: matching(/^(?:[0-9a-f]{64}(?: (?=.)|$)){0,10}$/),
    key_generations: matching(/^[\d ]{0,1000}$/),
    created_at: time,
  },
  designs: {
    id,
    account_id: id,
    settings: text(),
    logo_png: orNull(bytes(1, storedLogoBounds.bytes)),
    png_hash: orNull(sha256),
    created_at: time,
  },
  pictures: {
    id,
    account_id: id,
    digest: sha256Hex,
    content: bytes(1, storedLogoBounds.bytes),
    kept_at: time,
  },
  saved_designs: { id, account_id: id, name, design_id: id, saved_at: time },
  api_keys: {
    account_id: id,
    hash: sha256Hex,
    last_four: matching(/^[0-9a-f]{4}$/),
    former_hash: orNull(sha256Hex),
    former_last_four: orNull(matching(/^[0-9a-f]{4}$/)),
    former_until: orNull(time),
    created_at: time,
    last_used_at: orNull(time),
  },
  sessions: {
    hash: sha256Hex,
    account_id: id,
    entered_account_id: orNull(id),
    device: text(100),
    created_at: time,
    last_seen_at: time,
    confirmed_at: time,
    is_provided: flag,
  },
  trusted_browsers: { hash: sha256Hex, account_id: id, created_at: time },
  sign_in_links: { hash: sha256Hex, account_id: orNull(id), expires_at: time },
  sign_in_steps: {
    hash: sha256Hex,
    account_id: id,
    kind: oneOf(stepKinds),
    issuer: orNull(text(maxIssuerLength)),
    subject: orNull(text(maxSubjectLength)),
    is_operator: orNull(flag),
    session_hash: orNull(sha256Hex),
    created_at: time,
  },
  identities: {
    issuer: text(maxIssuerLength),
    subject: text(maxSubjectLength),
    account_id: id,
    bound_at: time,
    last_used_at: orNull(time),
  },
  members: { account_id: id, member_id: id, role: oneOf(memberRoles), since: time },
  invitations: {
    hash: sha256Hex,
    account_id: id,
    email,
    role: oneOf(memberRoles),
    created_at: time,
    expires_at: time,
  },
  qrs: {
    id,
    code: text(255, (value) => parseCodeOrPath(value) === value),
    account_id: id,
    ...labels,
    path_since: orNull(time),
    name_key: text(),
    archived: flag,
    design_id: orNull(id),
    logo_placement: orNull(json(isLogoPlacement)),
    short_link: link,
    // A stopped code has none.
    destination: (value) => value === '' || destination(value),
    status: oneOf(qrStatuses),
    status_before_block: orNull(oneOf(qrStatuses)),
    paused_message: orNull(text(2 * maxPausedMessageLength)),
    block_reason: orNull(text()),
    created_at: time,
    image_hash: orNull(sha256),
    png_hash: orNull(sha256),
  },
  given_up_paths: { path: text(255, parses(parseTypedPath)), qr_id: id, at: time },
  former_destinations: { id, qr_id: id, destination, until: time, replaced_as_planned: flag },
  activity: {
    id,
    account_id: id,
    at: time,
    actor: text(40, (stored) => parseActor(stored) !== null),
    topic: oneOf(topics),
    kind: oneOf(activityKinds),
    qr_id: orNull(id),
    subject: orNull(activityText),
    before: orNull(activityText),
    after: orNull(activityText),
    codes: orNull(count),
  },
  planned_changes: {
    id,
    qr_id: id,
    account_id: id,
    action: oneOf(plannedActions),
    destination: orNull(destination),
    first_local: text(16, isWallTime),
    every: orNull(oneOf(periods)),
    next_at: orNull(time),
    problem: orNull(oneOf(plannedProblems)),
    planned_by: orNull(id),
    created_at: time,
  },
  batches: {
    id,
    account_id: id,
    design_id: id,
    state: oneOf(batchStates),
    problem: orNull(text()),
    notices: text(),
    digest: sha256,
    created_at: time,
    lease_until: time,
  },
  batch_rows: {
    batch_id: id,
    row: id,
    ...mapLabels(() => orNull(text())),
    // As in the file. It is checked again before a code is created.
    destination: text(),
    problem: orNull(text()),
    qr_id: orNull(id),
  },
  batch_files: { batch_id: id, content: bytes(1, tableBounds.maxBytes) },
  column_choices: {
    account_id: id,
    headers: sha256,
    roles: text(),
    chosen_at: time,
  },
  bulk_edits: {
    id,
    account_id: id,
    kind: oneOf(bulkEditKinds),
    entry_id: orNull(id),
    undo_entry_id: orNull(id),
    replaced: orNull(text()),
    replacement: orNull(text()),
    at: time,
  },
  bulk_edit_changes: {
    bulk_edit_id: id,
    qr_id: id,
    // Destinations are checked again before an edit is undone, and statuses by the database.
    before: text(),
    after: text(),
  },
  idempotency_keys: { digest: sha256, qr_id: id, created_at: time },
  short_url_prefixes: { prefix: link },
  served_prefixes: { prefix: link },
  server_versions: { id, version: text(200), renderer: text(200), since: time },
  last_backup: { id: oneOf([1]), finished_at: time },
  flags: { qr_id: id, account_id: orNull(id), list: text(), expression: text(), since: time },
  recheck_queue: { id, qr_id: id },
  recheck_runs: { kind: oneOf(['lists', 'provider']), list_version: text(), started_at: time },
  rules: {
    id,
    expression: text(),
    decision: oneOf(['allow', 'block']),
    added_at: time,
    note: text(),
  },
  list_sources: {
    name: text(),
    source: json(({ name, url, addedAtMs }) => isText(name) && isHttps(url) && isTime(addedAtMs)),
    last_update: orNull(
      json(
        ({ outcome, checkedAtMs, reason }) =>
          ['updated', 'unchanged', 'failed'].includes(String(outcome)) &&
          isTime(checkedAtMs) &&
          (reason === null || isText(reason)),
      ),
    ),
  },
  threat_lists: {
    id,
    source: orNull(text()),
    list: json(
      ({ source, entries, importedAtMs }) =>
        isText(source) && Number.isSafeInteger(entries) && isTime(importedAtMs),
    ),
  },
  threat_list_entries: { list_id: id, hash: bytes(1, 32) },
  scan_counters: {
    qr_id: id,
    account_id: orNull(id),
    scans: count,
    last_scan: time,
    scans_in_hour: count,
    ranked_scans: count,
    last_hour: time,
  },
  hourly_scans: { qr_id: id, hour: time, scans: count },
  uncounted_hits: { qr_id: id, kind, hits: count },
  scan_log: { at: time, hits: count, kind, qr_id: id },
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
  planned_changes: {
    of: ['action', 'destination'],
    isAccepted: (action, planned) => (action === 'destination') === (planned !== null),
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
      values.at(-1) !== null || labelNames.every((label, at) => labels[label](values[at] ?? null)),
  },
};

const isText = (value: unknown) => typeof value === 'string' && value.length <= 10_000;
const isTime = (value: unknown) => typeof value === 'number' && time(value);
const isHttps = (value: unknown) =>
  isText(value) && URL.parse(String(value))?.protocol === 'https:';

/** Checks rows that come from another database. */
export interface RowChecks {
  /**
   * Returns a function that finds the first value of a row that no version of Waymark can have stored.
   * The function returns its index and counts it, or returns null. Columns and tables that an upgrade drops may have
   * any values.
   */
  of(table: string, columns: readonly string[]): (row: SnapshotRow) => number | null;
  /** Counts a row that the database refuses. */
  refuse(table: string, columns: readonly string[], row: SnapshotRow): void;
  /** Returns what was refused, one sentence for each kind of value. */
  refusals(): string[];
}

/** Creates checks that count what they refuse. */
export function createRowChecks(): RowChecks {
  const refused = new Map<
    string,
    { what: readonly [string, string]; examples: string[]; rows: number }
  >();
  const count = (table: string, column: string, columns: readonly string[], row: SnapshotRow) => {
    const key = `${table}.${column}`;
    const entry = refused.get(key) ?? { what: phraseOf(table, column), examples: [], rows: 0 };
    entry.rows++;
    if (entry.examples.length < maxExamples) entry.examples.push(exampleOf(column, columns, row));
    refused.set(key, entry);
  };
  return {
    of: (table, columns) => {
      // The cast is safe: other names find nothing.
      const known = columnChecks[table as SnapshotTableName] ?? {};
      const checks = columns.map((column) => known[column] ?? (() => true));
      const across = rowChecks[table as SnapshotTableName];
      const places = across?.of.map((column) => columns.indexOf(column)) ?? [];
      const isNamed = places.at(-1) !== -1;
      return (row) => {
        let at = checks.findIndex((check, index) => !check(row[index] ?? null));
        // A column that the version of the table lacks is empty.
        if (at === -1 && across !== undefined && isNamed)
          if (!across.isAccepted(...places.map((place) => row[place] ?? null)))
            at = places.at(-1) ?? -1;
        if (at === -1) return null;
        count(table, columns[at] ?? '', columns, row);
        return at;
      };
    },
    refuse: (table, columns, row) => count(table, '', columns, row),
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
  const value = column === '' ? 'values' : column.replaceAll('_', ' ');
  const isPlural = /^(?:values|settings|scans|hits|recovery codes)$/.test(value);
  const article = isPlural ? '' : /^[aeio]/.test(value) ? 'an ' : 'a ';
  return [`${one} has ${article}${value}`, `${many} have ${article}${value}`];
}

/** Names a row by its code, address or key, with the refused value if it is a text that is no secret. */
function exampleOf(column: string, columns: readonly string[], row: SnapshotRow): string {
  const cell = (name: string) => row[columns.indexOf(name)];
  const key = ['code', 'email', 'id', 'qr_id', 'account_id'].find((name) => columns.includes(name));
  const value = cell(column);
  const shown =
    typeof value === 'string' && !/hash|secret|recovery/.test(column) && column !== key
      ? ` (${printable(value)})`
      : '';
  return `${printable(String(cell(key ?? columns[0] ?? '')))}${shown}`;
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
