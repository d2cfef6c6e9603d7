import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { qrStatuses } from '../../core/codes/qr.ts';
import { finderShapes, logoPatches, moduleShapes } from '../../core/designs/design.ts';

/**
 * The tables. Instants are milliseconds since the epoch; hashes are SHA-256. Nothing about a
 * visitor is stored: no address, no agent, no cookie.
 */

export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Lower case. */
  email: text().notNull().unique(),
  /** argon2id, or null for an account that cannot sign in yet. */
  passwordHash: text('password_hash'),
  isOperator: integer('operator', { mode: 'boolean' }).notNull().default(false),
  /** Null: a plan without end. */
  planUntil: integer('plan_until'),
  /** How many QRs the account has, so that a list's total never counts a million rows. */
  qrCount: integer('qr_count').notNull().default(0),
  createdAt: integer('created_at').notNull(),
});

/** One key per account. */
export const keys = sqliteTable('keys', {
  accountId: integer('account_id')
    .primaryKey()
    .references(() => accounts.id),
  hash: text().notNull().unique(),
  lastFour: text('last_four').notNull(),
  createdAt: integer('created_at').notNull(),
  lastUsedAt: integer('last_used_at'),
});

/** Immutable rows; an account's newest is its default. */
export const designs = sqliteTable(
  'designs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references((): AnySQLiteColumn => accounts.id),
    foreground: text().notNull(),
    background: text().notNull(),
    moduleShape: text('module_shape', { enum: moduleShapes }).notNull(),
    finderShape: text('finder_shape', { enum: finderShapes }).notNull(),
    finderColor: text('finder_color'),
    logoPng: blob('logo_png', { mode: 'buffer' }),
    logoWidth: integer('logo_width'),
    logoHeight: integer('logo_height'),
    logoSizePercent: integer('logo_size_percent').notNull(),
    logoPatch: text('logo_patch', { enum: logoPatches }).notNull(),
    quietZone: integer('quiet_zone').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (design) => [index('designs_by_account').on(design.accountId, design.id)],
);

export const qrs = sqliteTable(
  'qrs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Lower case. */
    code: text().notNull().unique(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    designId: integer('design_id')
      .notNull()
      .references(() => designs.id),
    /** How the images draw the logo; null for as the design sets it. */
    logoPlacement: text('logo_fit'),
    /** Whole, as printed. */
    shortLink: text('short_link').notNull(),
    /** Exactly as sent. */
    destination: text().notNull(),
    status: text({ enum: qrStatuses }).notNull().default('active'),
    createdAt: integer('created_at').notNull(),
    /** SHA-256 of the SVG at creation. */
    imageHash: blob('image_hash', { mode: 'buffer' }).notNull(),
  },
  (qr) => [
    // Covers the page of a list: order and limit are found without touching a row of the table.
    index('qrs_newest_first').on(qr.accountId, sql`${qr.createdAt} desc`, qr.code),
    // As small as its purpose: operators see what they have blocked.
    index('qrs_blocked').on(qr.id).where(sql`${qr.status} = 'blocked'`),
    check('qrs_status', sql`${qr.status} in ('active', 'paused', 'blocked')`),
  ],
);

/** What a QR led to before, and until when. */
export const formerDestinations = sqliteTable(
  'former_destinations',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    qrId: integer('qr_id')
      .notNull()
      .references(() => qrs.id),
    destination: text().notNull(),
    until: integer().notNull(),
  },
  (former) => [index('former_destinations_by_qr').on(former.qrId, former.id)],
);

/** Which POST made which QR, for the 24 hours in which a retry is answered with it. */
export const retries = sqliteTable(
  'retries',
  {
    /** SHA-256 over key hash, `Idempotency-Key` and body. */
    digest: blob({ mode: 'buffer' }).primaryKey(),
    qrId: integer('qr_id')
      .notNull()
      .references(() => qrs.id),
    createdAt: integer('created_at').notNull(),
  },
  (retry) => [index('retries_by_age').on(retry.createdAt)],
);

/** Where the short links of existing codes live, to be held against the configuration at start. */
export const shortBases = sqliteTable('short_bases', {
  base: text().primaryKey(),
});

/** The programs that have served this database, one row each time that another one took over. */
export const programs = sqliteTable('programs', {
  id: integer().primaryKey({ autoIncrement: true }),
  version: text().notNull(),
  /** Names what it draws with; see rendererIdentity. */
  renderer: text().notNull(),
  since: integer().notNull(),
});

/**
 * Hits as they were committed, one row per event-loop turn, folded into the counters below soon
 * after. An append costs the same with ten million codes as with one.
 */
export const scanLog = sqliteTable('scan_log', {
  // May be given again once the log is empty: to remember the last would write a page a turn.
  id: integer().primaryKey(),
  /** See scan-batch.ts. */
  entries: blob({ mode: 'buffer' }).notNull(),
});

// The counters are narrow and have no foreign key: they are written by the thousand, and a QR is
// never deleted.

export const scanCounters = sqliteTable('scan_counters', {
  qrId: integer('qr_id').primaryKey(),
  scans: integer().notNull(),
  lastScan: integer('last_scan').notNull(),
  /** Scans in the hour of the last one, so that a scan in the same hour writes this row alone. */
  scansInHour: integer('scans_in_hour').notNull().default(0),
});

/** Hours that are over for a QR. The hour of its last scan may be here in part. */
export const hourlyScans = sqliteTable(
  'hourly_scans',
  {
    qrId: integer('qr_id').notNull(),
    /** Beginning of the hour. */
    hour: integer().notNull(),
    scans: integer().notNull(),
  },
  (hourly) => [primaryKey({ columns: [hourly.qrId, hourly.hour] })],
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

/** Who is signed in to the account panel. The token itself is in the browser's cookie alone. */
export const sessions = sqliteTable(
  'sessions',
  {
    hash: text().primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
  },
  (session) => [index('sessions_by_account').on(session.accountId)],
);

/** One-time links to the account panel: to set a password, or to make the first account. */
export const signInLinks = sqliteTable('sign_in_links', {
  hash: text().primaryKey(),
  /** Null: for whoever makes the first account. */
  accountId: integer('account_id').references(() => accounts.id),
  expiresAt: integer('expires_at').notNull(),
});

/** Browsers that have signed in before; they do not wait behind a stranger's guesses. */
export const knownDevices = sqliteTable(
  'known_devices',
  {
    hash: text().primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: integer('created_at').notNull(),
  },
  (device) => [index('known_devices_by_account').on(device.accountId)],
);
