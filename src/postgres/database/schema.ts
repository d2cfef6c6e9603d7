import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { BatchState } from '../../core/batches/batch.ts';
import type { BulkEditKind } from '../../core/batches/bulk-edit.ts';
import type { QrStatus } from '../../core/codes/qr.ts';
import type { LogoPlacement } from '../../core/designs/design.ts';
import type { DesignSettings } from '../../core/designs/stored-design.ts';
import { bytea, id, integer, json, text } from './columns.ts';

/**
 * The tables, except those of the safe-browsing check. Tables and columns are named as in SQLite, so that
 * data can be moved between both. Times are milliseconds since 1970, hashes are SHA-256. Nothing about a
 * visitor is stored: no address, no user agent, no cookie.
 */

/** One row, which also marks the database as Waymark's. */
export const waymark = pgTable('waymark', {
  /** Number of migrations that the schema has. */
  schemaVersion: integer('schema_version').notNull(),
  /** Number of migrations that a program must know to use the schema. */
  minVersion: integer('min_version').notNull(),
});

export const accounts = pgTable('accounts', {
  id: id(),
  /** Lower case. */
  email: text('email').notNull().unique(),
  /** argon2id, or null for an account that cannot sign in yet. */
  passwordHash: text('password_hash'),
  isOperator: boolean('is_operator').notNull().default(false),
  /** Null for a plan that does not expire. */
  planUntilMs: integer('plan_until'),
  /** Number of the account's codes: the total of its list. */
  qrCount: integer('qr_count').notNull().default(0),
  /** The design of new codes. Null only within the transaction that creates the account. */
  defaultDesignId: integer('default_design_id'),
  createdAtMs: integer('created_at').notNull(),
});

const accountReference = () =>
  integer('account_id')
    .notNull()
    .references(() => accounts.id);

/** One API key per account. */
export const apiKeys = pgTable('api_keys', {
  accountId: accountReference().primaryKey(),
  hash: text('hash').notNull().unique(),
  lastFour: text('last_four').notNull(),
  createdAtMs: integer('created_at').notNull(),
  lastUsedAtMs: integer('last_used_at'),
});

/** Sessions of the account panel, by the hash of their token. */
export const sessions = pgTable(
  'sessions',
  {
    hash: text('hash').primaryKey(),
    accountId: accountReference(),
    createdAtMs: integer('created_at').notNull(),
    lastSeenAtMs: integer('last_seen_at').notNull(),
  },
  (session) => [index('sessions_by_account').on(session.accountId)],
);

/** Browsers that signed in before and skip the sign-in throttle, by the hash of their token. */
export const trustedBrowsers = pgTable(
  'trusted_browsers',
  {
    hash: text('hash').primaryKey(),
    accountId: accountReference(),
    createdAtMs: integer('created_at').notNull(),
  },
  (browser) => [index('trusted_browsers_by_account').on(browser.accountId)],
);

/** One-time links to the account panel, by the hash of their token. */
export const signInLinks = pgTable('sign_in_links', {
  hash: text('hash').primaryKey(),
  /** Null for the link that creates the first account. */
  accountId: integer('account_id').references(() => accounts.id),
  expiresAtMs: integer('expires_at').notNull(),
});

/** Designs. Rows never change. */
export const designs = pgTable(
  'designs',
  {
    id: id(),
    accountId: accountReference(),
    settings: json<DesignSettings>('settings').notNull(),
    logoPng: bytea('logo_png'),
    /** Hash of the sample PNG, see `hashSamplePng`. Null before the first code. */
    pngHash: bytea('png_hash'),
    createdAtMs: integer('created_at').notNull(),
  },
  (design) => [index('designs_by_account').on(design.accountId, design.id)],
);

/** Designs that an account named, to choose one for new codes. */
export const savedDesigns = pgTable(
  'saved_designs',
  {
    id: id(),
    accountId: accountReference(),
    name: text('name').notNull(),
    designId: integer('design_id')
      .notNull()
      .references(() => designs.id),
    savedAtMs: integer('saved_at').notNull(),
  },
  (saved) => [uniqueIndex('saved_designs_by_name').on(saved.accountId, saved.name)],
);

/** Dynamic QR codes, and imported links, which have no design and no image. */
export const qrs = pgTable(
  'qrs',
  {
    id: id(),
    /** Lower case; of an imported link, its path with the case kept. */
    code: text('code').notNull().unique(),
    accountId: accountReference(),
    name: text('name'),
    note: text('note'),
    /** Null for an imported link, as is the hash. */
    designId: integer('design_id').references(() => designs.id),
    /** Placement of the logo in the images. Null for centered. */
    logoPlacement: json<LogoPlacement>('logo_placement'),
    /** The whole short link as printed. */
    shortLink: text('short_link').notNull(),
    /** Exactly as sent. */
    destination: text('destination').notNull(),
    status: text('status').$type<QrStatus>().notNull().default('active'),
    /** Status to restore when an operator lifts the block. */
    statusBeforeBlock: text('status_before_block').$type<QrStatus>(),
    createdAtMs: integer('created_at').notNull(),
    /** Hash of the SVG at creation. */
    imageHash: bytea('image_hash'),
  },
  (qr) => [
    index('qrs_newest_first').on(qr.accountId, sql`${qr.createdAtMs} desc`, qr.code),
    index('qrs_blocked').on(qr.id).where(sql`${qr.status} = 'blocked'`),
    check('qrs_status', sql`${qr.status} in ('active', 'paused', 'blocked')`),
    check('qrs_image', sql`(${qr.designId} is null) = (${qr.imageHash} is null)`),
  ],
);

export const qrReference = () =>
  integer('qr_id')
    .notNull()
    .references(() => qrs.id);

/** Earlier destinations of codes, and until when each was set. */
export const formerDestinations = pgTable(
  'former_destinations',
  {
    id: id(),
    qrId: qrReference(),
    destination: text('destination').notNull(),
    untilMs: integer('until').notNull(),
  },
  (former) => [index('former_destinations_by_qr').on(former.qrId, former.id)],
);

/** Tables of codes to create, and their progress. */
export const batches = pgTable(
  'batches',
  {
    id: id(),
    accountId: accountReference(),
    designId: integer('design_id')
      .notNull()
      .references(() => designs.id),
    state: text('state').$type<BatchState>().notNull(),
    /** Why it ended early, in words. */
    problem: text('problem'),
    /** Hash of the table and the design, by which an interrupted import is found again. */
    digest: bytea('digest').notNull(),
    createdAtMs: integer('created_at').notNull(),
    /** Until when the process that creates the codes has the batch for itself. */
    leaseUntilMs: integer('lease_until').notNull().default(0),
  },
  (batch) => [
    index('batches_by_account').on(batch.accountId, batch.id),
    index('batches_running').on(batch.id).where(sql`${batch.state} = 'running'`),
  ],
);

export const batchRows = pgTable(
  'batch_rows',
  {
    batchId: integer('batch_id')
      .notNull()
      .references(() => batches.id),
    /** Number of the line in the file, from 1. */
    row: integer('row').notNull(),
    name: text('name'),
    destination: text('destination').notNull(),
    note: text('note'),
    /** Why no code is created, in words. */
    problem: text('problem'),
    /** The created code. */
    qrId: integer('qr_id').references(() => qrs.id),
  },
  (row) => [primaryKey({ columns: [row.batchId, row.row] })],
);

/** The last bulk edit of each account. */
export const bulkEdits = pgTable('bulk_edits', {
  id: id(),
  accountId: accountReference().unique(),
  kind: text('kind').$type<BulkEditKind>().notNull(),
  /** Replaced text and its replacement; null for other kinds. */
  replaced: text('replaced'),
  replacement: text('replacement'),
  atMs: integer('at').notNull(),
});

/** The codes that a bulk edit changed: destinations or statuses. */
export const bulkEditChanges = pgTable(
  'bulk_edit_changes',
  {
    bulkEditId: integer('bulk_edit_id')
      .notNull()
      .references(() => bulkEdits.id),
    qrId: qrReference(),
    before: text('before').notNull(),
    after: text('after').notNull(),
  },
  (change) => [primaryKey({ columns: [change.bulkEditId, change.qrId] })],
);

/** Idempotency keys of the last 24 hours and the QRs created with them. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Hash of the API key's hash, the `Idempotency-Key` header and the body. */
    digest: bytea('digest').primaryKey(),
    qrId: qrReference(),
    createdAtMs: integer('created_at').notNull(),
  },
  (key) => [index('idempotency_keys_by_age').on(key.createdAtMs)],
);

/** Short-URL prefixes of the server that started last. Commands create codes at these only. */
export const servedPrefixes = pgTable('served_prefixes', {
  prefix: text('prefix').primaryKey(),
});

/** Short-URL prefixes of all codes, compared with the settings at every start. */
export const shortUrlPrefixes = pgTable('short_url_prefixes', {
  /** `scheme://host[:port][/path]` */
  prefix: text('prefix').primaryKey(),
});

/** Server versions that have served this database, one row per change. */
export const serverVersions = pgTable('server_versions', {
  id: id(),
  version: text('version').notNull(),
  /** See rendererIdentity in render/. */
  renderer: text('renderer').notNull(),
  sinceMs: integer('since').notNull(),
});

/** The last backup that "waymark backup" has written and verified: one row at most. */
export const lastBackup = pgTable('last_backup', {
  /** Always 1. */
  id: integer('id').primaryKey(),
  finishedAtMs: integer('finished_at').notNull(),
});

/**
 * Copies that may redirect from memory. A process that changes a code waits until all of them have dropped it, and
 * removes those that do not respond.
 */
export const memberships = pgTable('memberships', { id: integer('id').primaryKey() });

/** Committed hits that are not yet aggregated, one row per statement. Read them through `pendingHits`. */
export const scanLog = pgTable(
  'scan_log',
  {
    /** The process that wrote the row: a random number. */
    copy: integer('copy').notNull(),
    /** Number of the statement in that process. A repeated statement has the same number. */
    number: integer('number').notNull(),
    /** The process repeats no statement up to this number. */
    settled: integer('settled').notNull(),
    // Equally long; null once aggregated. The row stays until its statement cannot be repeated.
    /** See `hitTarget`. */
    targets: integer('targets').array(),
    times: integer('times').array(),
    /** Null if each is one. */
    counts: integer('counts').array(),
    writtenAt: timestamp('written_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (row) => [primaryKey({ columns: [row.copy, row.number] })],
);

/** The hits of the log. With the counters they are exact in any single statement. */
export const pendingHits = pgView('pending_hits', {
  qrId: integer('qr_id').notNull(),
  /** Index in `hitKinds`. */
  kind: smallint('kind').notNull(),
  atMs: integer('at').notNull(),
  hits: integer('hits').notNull(),
}).as(sql`SELECT target / 8 AS qr_id, (target % 8)::smallint AS kind, at, coalesce(count, 1) AS hits
  FROM scan_log, unnest(targets, times, counts) AS hit (target, at, count)`);

// The counters have no foreign keys: they are written in bulk, and codes are never deleted.

export const scanCounters = pgTable('scan_counters', {
  qrId: integer('qr_id').primaryKey(),
  scans: integer('scans').notNull(),
  /** 0 when the scans of an imported link have no date. */
  lastScanMs: integer('last_scan').notNull(),
  /** Scans in the hour of the last scan, so that most scans write this row only. */
  scansInHour: integer('scans_in_hour').notNull().default(0),
});

/** Scans per hour, without those in `scansInHour`. */
export const hourlyScans = pgTable(
  'hourly_scans',
  {
    qrId: integer('qr_id').notNull(),
    /** Start of the hour. */
    hourMs: integer('hour').notNull(),
    scans: integer('scans').notNull(),
  },
  (hourly) => [primaryKey({ columns: [hourly.qrId, hourly.hourMs] })],
);

export const uncountedHits = pgTable(
  'uncounted_hits',
  {
    qrId: integer('qr_id').notNull(),
    /** Index in `hitKinds`. */
    kind: smallint('kind').notNull(),
    hits: integer('hits').notNull(),
  },
  (hit) => [primaryKey({ columns: [hit.qrId, hit.kind] })],
);
