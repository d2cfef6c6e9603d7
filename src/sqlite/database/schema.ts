import { sql } from 'drizzle-orm';
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { batchStates } from '../../core/batches/batch.ts';
import { bulkEditKinds } from '../../core/batches/bulk-edit.ts';
import { qrStatuses } from '../../core/codes/qr.ts';
import type { LogoPlacement } from '../../core/designs/design.ts';
import type { DesignSettings } from '../../core/designs/stored-design.ts';

/**
 * The tables, except those of the safe-browsing check. Times are milliseconds since 1970, hashes are
 * SHA-256. Nothing about a visitor is stored: no address, no user agent, no cookie.
 */

export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Lower case. */
  email: text().notNull().unique(),
  /** argon2id, or null for an account that cannot sign in yet. */
  passwordHash: text('password_hash'),
  isOperator: integer('is_operator', { mode: 'boolean' }).notNull().default(false),
  /** Null for a plan that does not expire. */
  planUntilMs: integer('plan_until'),
  /** The design of new codes. Null only within the transaction that creates the account. */
  defaultDesignId: integer('default_design_id'),
  /** Number of the account's codes: the total of its list. */
  qrCount: integer('qr_count').notNull().default(0),
  /** Until when a process has the account's turn to write a bulk edit. */
  bulkEditUntilMs: integer('bulk_edit_until').notNull().default(0),
  createdAtMs: integer('created_at').notNull(),
});

const accountReference = () =>
  integer('account_id')
    .notNull()
    .references(() => accounts.id);

/** One API key per account. */
export const apiKeys = sqliteTable('api_keys', {
  accountId: accountReference().primaryKey(),
  hash: text().notNull().unique(),
  lastFour: text('last_four').notNull(),
  createdAtMs: integer('created_at').notNull(),
  lastUsedAtMs: integer('last_used_at'),
});

/** Sessions of the account panel, by the hash of their token. */
export const sessions = sqliteTable(
  'sessions',
  {
    hash: text().primaryKey(),
    accountId: accountReference(),
    createdAtMs: integer('created_at').notNull(),
    lastSeenAtMs: integer('last_seen_at').notNull(),
  },
  (session) => [index('sessions_by_account').on(session.accountId)],
);

/** Browsers that signed in before and skip the sign-in throttle, by the hash of their token. */
export const trustedBrowsers = sqliteTable(
  'trusted_browsers',
  {
    hash: text().primaryKey(),
    accountId: accountReference(),
    createdAtMs: integer('created_at').notNull(),
  },
  (browser) => [index('trusted_browsers_by_account').on(browser.accountId)],
);

/** One-time links to the account panel, by the hash of their token. */
export const signInLinks = sqliteTable('sign_in_links', {
  hash: text().primaryKey(),
  /** Null for the link that creates the first account. */
  accountId: integer('account_id').references(() => accounts.id),
  expiresAtMs: integer('expires_at').notNull(),
});

/** Designs. Rows never change. */
export const designs = sqliteTable(
  'designs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: accountReference(),
    settings: text({ mode: 'json' }).$type<DesignSettings>().notNull(),
    logoPng: blob('logo_png', { mode: 'buffer' }),
    /** Hash of the sample PNG, see `hashSamplePng`. Null before the first code. */
    pngHash: blob('png_hash', { mode: 'buffer' }),
    createdAtMs: integer('created_at').notNull(),
  },
  (design) => [index('designs_by_account').on(design.accountId, design.id)],
);

/** Designs that an account named, to choose one for new codes. */
export const savedDesigns = sqliteTable(
  'saved_designs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: accountReference(),
    name: text().notNull(),
    designId: integer('design_id')
      .notNull()
      .references(() => designs.id),
    savedAtMs: integer('saved_at').notNull(),
  },
  (saved) => [uniqueIndex('saved_designs_by_name').on(saved.accountId, saved.name)],
);

/** Dynamic QR codes, and imported links, which have no design and no image. */
export const qrs = sqliteTable(
  'qrs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Lower case; of an imported link, its path with the case kept. */
    code: text().notNull().unique(),
    accountId: accountReference(),
    name: text(),
    note: text(),
    /** Null for an imported link, as is the hash. */
    designId: integer('design_id').references(() => designs.id),
    /** Placement of the logo in the images. Null for centered. */
    logoPlacement: text('logo_placement', { mode: 'json' }).$type<LogoPlacement>(),
    /** The whole short link as printed. */
    shortLink: text('short_link').notNull(),
    /** Exactly as sent. */
    destination: text().notNull(),
    status: text({ enum: qrStatuses }).notNull().default('active'),
    /** Status to restore when an operator lifts the block. */
    statusBeforeBlock: text('status_before_block', { enum: qrStatuses }),
    createdAtMs: integer('created_at').notNull(),
    /** Hash of the SVG at creation. */
    imageHash: blob('image_hash', { mode: 'buffer' }),
  },
  (qr) => [
    // Covers order and offset of a list: only the rows of the page are read from the table.
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

/** Tables of codes to create, and their progress. */
export const batches = sqliteTable(
  'batches',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: accountReference(),
    designId: integer('design_id')
      .notNull()
      .references(() => designs.id),
    state: text({ enum: batchStates }).notNull(),
    /** Why it ended early, in words. */
    problem: text(),
    /** Hash of the table and the design, by which an interrupted import is found again. */
    digest: blob({ mode: 'buffer' }).notNull(),
    createdAtMs: integer('created_at').notNull(),
    /** Until when the process that creates the codes has the batch for itself. */
    leaseUntilMs: integer('lease_until').notNull().default(0),
  },
  (batch) => [
    index('batches_by_account').on(batch.accountId, batch.id),
    index('batches_running').on(batch.id).where(sql`${batch.state} = 'running'`),
  ],
);

export const batchRows = sqliteTable(
  'batch_rows',
  {
    batchId: integer('batch_id')
      .notNull()
      .references(() => batches.id),
    /** Number of the line in the file, from 1. */
    row: integer().notNull(),
    name: text(),
    destination: text().notNull(),
    note: text(),
    /** Why no code is created, in words. */
    problem: text(),
    /** The created code. */
    qrId: integer('qr_id').references(() => qrs.id),
  },
  (row) => [primaryKey({ columns: [row.batchId, row.row] })],
);

/** The last bulk edit of each account. */
export const bulkEdits = sqliteTable('bulk_edits', {
  id: integer().primaryKey({ autoIncrement: true }),
  accountId: accountReference().unique(),
  kind: text({ enum: bulkEditKinds }).notNull(),
  /** Replaced text and its replacement; null for other kinds. */
  replaced: text(),
  replacement: text(),
  atMs: integer('at').notNull(),
});

/** The codes that a bulk edit changed: destinations or statuses. */
export const bulkEditChanges = sqliteTable(
  'bulk_edit_changes',
  {
    bulkEditId: integer('bulk_edit_id')
      .notNull()
      .references(() => bulkEdits.id),
    qrId: qrReference(),
    before: text().notNull(),
    after: text().notNull(),
  },
  (change) => [primaryKey({ columns: [change.bulkEditId, change.qrId] })],
);

/** Earlier destinations of codes, and until when each was set. */
export const formerDestinations = sqliteTable(
  'former_destinations',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    qrId: qrReference(),
    destination: text().notNull(),
    untilMs: integer('until').notNull(),
  },
  (former) => [index('former_destinations_by_qr').on(former.qrId, former.id)],
);

/** Idempotency keys of the last 24 hours and the QRs created with them. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    /** Hash of the API key's hash, the `Idempotency-Key` header and the body. */
    digest: blob({ mode: 'buffer' }).primaryKey(),
    qrId: qrReference(),
    createdAtMs: integer('created_at').notNull(),
  },
  (key) => [index('idempotency_keys_by_age').on(key.createdAtMs)],
);

/** Short-URL prefixes of all codes, compared with the settings at every start. */
export const shortUrlPrefixes = sqliteTable('short_url_prefixes', {
  /** `scheme://host[:port][/path]` */
  prefix: text().primaryKey(),
});

/** Short-URL prefixes of the server that started last. Commands create codes at these only. */
export const servedPrefixes = sqliteTable('served_prefixes', {
  prefix: text().primaryKey(),
});

/** Server versions that have served this database, one row per change. */
export const serverVersions = sqliteTable('server_versions', {
  id: integer().primaryKey({ autoIncrement: true }),
  version: text().notNull(),
  /** See rendererIdentity in render/. */
  renderer: text().notNull(),
  sinceMs: integer('since').notNull(),
});

/** The last backup that "waymark backup" has written and verified: one row at most. */
export const lastBackup = sqliteTable('last_backup', {
  /** Always 1. */
  id: integer().primaryKey(),
  finishedAtMs: integer('finished_at').notNull(),
});

/** Committed hits that are not yet aggregated, one row per event-loop tick. */
export const scanLog = sqliteTable('scan_log', {
  // Without AUTOINCREMENT, which would write one more page per row. Ids restart when the table is empty.
  id: integer().primaryKey(),
  /** See `encodeHits`. */
  hits: blob({ mode: 'buffer' }).notNull(),
});

// The counters have no foreign keys: they are written in bulk, and codes are never deleted.

export const scanCounters = sqliteTable('scan_counters', {
  qrId: integer('qr_id').primaryKey(),
  scans: integer().notNull(),
  /** 0 when the scans of an imported link have no date. */
  lastScanMs: integer('last_scan').notNull(),
  /** Scans in the hour of the last scan, so that most scans write this row only. */
  scansInHour: integer('scans_in_hour').notNull().default(0),
});

/** Scans per hour, without those in `scansInHour`. */
export const hourlyScans = sqliteTable(
  'hourly_scans',
  {
    qrId: integer('qr_id').notNull(),
    /** Start of the hour. */
    hourMs: integer('hour').notNull(),
    scans: integer().notNull(),
  },
  (hourly) => [primaryKey({ columns: [hourly.qrId, hourly.hourMs] })],
);

export const uncountedHits = sqliteTable(
  'uncounted_hits',
  {
    qrId: integer('qr_id').notNull(),
    /** Index in `hitKinds`. */
    kind: integer().notNull(),
    hits: integer().notNull(),
  },
  (hit) => [primaryKey({ columns: [hit.qrId, hit.kind] })],
);
