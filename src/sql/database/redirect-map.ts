import { activityKinds, parseActor, personOf } from '../../core/accounts/activity/activity.ts';
import { timeZoneOf } from '../../core/accounts/time-zone.ts';
import { mapLabels } from '../../core/codes/fields.ts';
import type { QrStatus } from '../../core/codes/qr.ts';
import type { ScheduledAction } from '../../core/codes/schedule/change.ts';
import type { Period } from '../../core/codes/schedule/wall-time.ts';
import type {
  StoredActivity,
  StoredDailyScans,
  StoredRedirect,
  StoredRedirects,
  StoredScheduledChange,
} from '../../core/storage.ts';
import { type Queries, type RunQueries, usedShortUrlPrefixes } from './startup-queries.ts';

const codesPerRead = 1000;
/** Each may have a row for each day of years. */
const codesPerReadOfDays = 100;
const dayMs = 86_400_000;
/** Entries of the activity of a code: what a person reads. */
const entriesPerCode = 50;

/**
 * Reads the codes of all accounts, or of one, for an export, with bounded memory.
 *
 * @param run runs queries in one state of the database
 * @param isOutdated whether the schema is that of an earlier version, which may have no planned changes
 */
export async function readRedirectMap(
  run: RunQueries,
  accountId: number | null,
  isOutdated: boolean,
): Promise<StoredRedirects> {
  const own = accountId === null ? 'true' : `account_id = ${accountId}`;
  const prefixes = await run(usedShortUrlPrefixes());
  const domains = isOutdated ? [] : await run(storedDomains());
  return {
    domains,
    // Dense links are in upper case. Their prefix is the same.
    prefixes: [...new Set(prefixes.map((prefix) => prefix.toLowerCase()))],
    codes: await run(countOf(own)),
    active: await run(countOf(`status = 'active' AND ${own}`)),
    missing: null,
    redirects: async function* ({ hasActivity = false, passesQuery = false } = {}) {
      // An earlier version passes none on.
      if (passesQuery && isOutdated) return;
      const asked = passesQuery ? `${own} AND query IS NOT NULL` : own;
      let lastCode = '';
      for (;;) {
        const codes = await run(codesAfter(lastCode, asked, isOutdated, hasActivity));
        yield* codes;
        const last = codes.at(-1);
        if (last === undefined) return;
        lastCode = last.code;
      }
    },
    dailyScans: async function* () {
      let lastCode = '';
      for (;;) {
        const { days, end } = await run(dailyScansAfter(lastCode, own));
        yield* days;
        if (end === null) return;
        lastCode = end;
      }
    },
  };
}

/** Reads the scans of some codes by day, and the last of these codes; null after the last code. */
function* dailyScansAfter(
  last: string,
  own: string,
): Queries<{ days: readonly StoredDailyScans[]; end: string | null }> {
  const codes = yield [
    // An earlier version has no folders.
    `SELECT * FROM qrs WHERE code > $1 AND ${own} ORDER BY code LIMIT ${codesPerReadOfDays}`,
    [last],
  ];
  const end = codes.at(-1)?.['code'];
  if (end === undefined) return { days: [], end: null };
  const ids = codes.map((row) => Number(row['id']));
  // The hour of the last scans is that of the counters, in every version.
  const rows = yield [
    `SELECT id, day, sum(scans) AS scans FROM (
       SELECT qr_id AS id, hour - hour % ${dayMs} AS day, scans FROM hourly_scans WHERE qr_id IN (${ids.join()})
       UNION ALL
       SELECT qr_id, last_scan - last_scan % ${dayMs}, scans_in_hour FROM scan_counters
         WHERE qr_id IN (${ids.join()}) AND scans_in_hour > 0
     ) AS hours GROUP BY id, day ORDER BY day`,
    [],
  ];
  const daysOf = Map.groupBy(rows, (row) => Number(row['id']));
  const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value));
  const days = codes.flatMap((code) =>
    (daysOf.get(Number(code['id'])) ?? []).map((row) => ({
      code: String(code['code']),
      name: textOf(code['name']),
      folder: textOf(code['folder']),
      dayMs: Number(row['day']),
      scans: Number(row['scans']),
    })),
  );
  return { days, end: String(end) };
}

/** Reads the domains beside the main one. */
function* storedDomains(): Queries<StoredRedirects['domains'][number][]> {
  const rows = yield ['SELECT url, front_url, not_found_url FROM domains ORDER BY url', []];
  return rows.map((row) => ({
    url: String(row['url']),
    frontUrl: row['front_url'] as string | null, // text columns
    notFoundUrl: row['not_found_url'] as string | null,
  }));
}

function* countOf(condition: string): Queries<number> {
  const [row] = yield [`SELECT count(*) AS codes FROM qrs WHERE ${condition}`, []];
  return Number(row?.['codes']);
}

/** Reads codes in their order. The schema of an earlier version lacks some columns. */
function* codesAfter(
  last: string,
  own: string,
  isOutdated: boolean,
  hasActivity: boolean,
): Queries<StoredRedirect[]> {
  const from = isOutdated
    ? '* FROM qrs'
    : `qrs.*, accounts.business_name AS visitors_name, accounts.paused_link AS visitors_link,
         coalesce(qrs.paused_message, accounts.paused_message) AS visitors_message
       FROM qrs JOIN accounts ON accounts.id = qrs.account_id`;
  const rows = yield [
    `SELECT ${from} WHERE code > $1 AND ${own} ORDER BY code LIMIT ${codesPerRead}`,
    [last],
  ];
  const end = String(rows.at(-1)?.['code'] ?? '');
  const planned = isOutdated ? null : yield* scheduledChanges(last, end, own);
  const activity = isOutdated || !hasActivity ? null : yield* activityOf(last, end, own);
  return rows.map((row) => {
    const label = row as Readonly<Record<string, string | null | undefined>>; // text columns
    const visitorText = (name: 'name' | 'message' | 'link') => label[`visitors_${name}`] ?? null;
    return {
      ...mapLabels((name) => label[name] ?? null),
      code: String(row['code']),
      shortLink: String(row['short_link']),
      destination: String(row['destination']),
      status: row['status'] as QrStatus, // all that the column may have
      isArchived: Boolean(row['archived']),
      hasImage: row['image_hash'] !== null,
      scheduledChanges: planned?.get(Number(row['id'])) ?? [],
      activity: activity?.get(Number(row['id'])) ?? [],
      pausedPage: {
        businessName: visitorText('name'),
        message: visitorText('message'),
        link: visitorText('link'),
      },
    };
  });
}

/** Reads the planned changes of a range of codes, by the id of the code. */
function* scheduledChanges(
  after: string,
  until: string,
  own: string,
): Queries<Map<number, StoredScheduledChange[]>> {
  const rows = yield [
    `SELECT planned.*, accounts.time_zone FROM planned_changes AS planned
     JOIN accounts ON accounts.id = planned.account_id
     WHERE planned.qr_id IN (SELECT id FROM qrs WHERE code > $1 AND code <= $2 AND ${own})
     ORDER BY planned.id`,
    [after, until],
  ];
  const found = new Map<number, StoredScheduledChange[]>();
  for (const row of rows) {
    const qrId = Number(row['qr_id']);
    const zone = row['time_zone'];
    const change = {
      action: row['action'] as ScheduledAction, // all that the columns may have
      destination: row['destination'] as string | null,
      firstLocal: String(row['first_local']),
      every: row['every'] as Period | null,
      nextMs: row['next_at'] === null ? null : Number(row['next_at']),
      zone: timeZoneOf({ timeZone: zone === null ? null : String(zone) }),
    };
    found.set(qrId, [...(found.get(qrId) ?? []), change]);
  }
  return found;
}

/** Reads the newest entries of the activity of a range of codes, by the id of the code. */
function* activityOf(
  after: string,
  until: string,
  own: string,
): Queries<Map<number, StoredActivity[]>> {
  const rows = yield [
    `SELECT activity.* FROM (SELECT id, account_id FROM qrs WHERE code > $1 AND code <= $2 AND ${own}) AS of_code
     JOIN activity ON activity.id IN (
       SELECT id FROM activity AS newest WHERE newest.qr_id = of_code.id AND newest.account_id = of_code.account_id
       ORDER BY id DESC LIMIT ${entriesPerCode})
     ORDER BY activity.id DESC`,
    [after, until],
  ];
  const actors = rows.map((row) => parseActor(String(row['actor'])));
  const ids = new Set(actors.flatMap((actor) => personOf(actor) ?? []));
  const people = ids.size === 0 ? [] : yield [emailsOf(ids), []];
  const emails = new Map(people.map((row) => [Number(row['id']), String(row['email'])]));
  const textOf = (value: unknown) => (value === null ? null : String(value));
  const found = new Map<number, StoredActivity[]>();
  for (const [index, row] of rows.entries()) {
    const by = actors[index] ?? null;
    const kind = activityKinds.find((one) => one === row['kind']);
    // A later version may have others.
    if (by === null || kind === undefined) continue;
    const qrId = Number(row['qr_id']);
    const entry = {
      ...{ by, kind, email: emails.get(personOf(by) ?? 0) ?? null, atMs: Number(row['at']) },
      ...{
        subject: textOf(row['subject']),
        count: row['codes'] === null ? null : Number(row['codes']),
      },
      ...{ before: textOf(row['before']), after: textOf(row['after']) },
    };
    const entries = found.get(qrId);
    if (entries === undefined) found.set(qrId, [entry]);
    else entries.push(entry);
  }
  return found;
}

const emailsOf = (ids: ReadonlySet<number>) =>
  `SELECT id, email FROM accounts WHERE id IN (${[...ids].join()})`;
