import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { ActivityKind, Topic } from '../core/accounts/activity/activity.ts';
import type { MemberRole } from '../core/accounts/people/role.ts';
import type { SignInStep } from '../core/accounts/sign-in/step.ts';
import type { BatchState } from '../core/batches/batch.ts';
import type { BulkEditKind, BulkEditState, EditOutcome } from '../core/batches/bulk-edit.ts';
import { mapLabels } from '../core/codes/fields.ts';
import type { QrStatus } from '../core/codes/qr.ts';
import type { ScheduledAction, ScheduleProblem } from '../core/codes/schedule/change.ts';
import type { Period } from '../core/codes/schedule/wall-time.ts';
import type { LogoPlacement } from '../core/designs/design.ts';
import type { DesignSettings } from '../core/designs/stored-design.ts';
import type { Columns } from './column-types.ts';
import { createSafetyTables } from './safety-tables.ts';

/** The tables that both databases have. */
export type Tables = ReturnType<typeof createTables>;

/**
 * Defines the tables that both databases have.
 * Times are milliseconds since 1970, hashes are SHA-256. Nothing about a visitor is stored: no address, no user agent,
 * no cookie.
 */
export function createTables(columns: Columns) {
  const { table, index, uniqueIndex, check, primaryKey } = columns;
  const { id, text, integer, smallint, boolean, bytes, json } = columns;
  const reference = (name: string, key: () => AnyPgColumn) =>
    integer(name).notNull().references(key);

  const accounts = table('accounts', {
    id: id(),
    /** Lower case. */
    email: text('email').notNull().unique(),
    /** argon2id, or null for an account that cannot sign in yet. */
    passwordHash: text('password_hash'),
    isOperator: boolean('is_operator').notNull().default(false),
    /** Null for a plan that does not expire. */
    planUntilMs: integer('plan_until'),
    /** Name in the IANA database. Null until one is set. */
    timeZone: text('time_zone'),
    /** Tag of the language of the panel for the person. Null for that of the browser. */
    language: text('language'),
    /** What the page of its paused codes says, see `PausedTexts`. */
    businessName: text('business_name'),
    pausedMessage: text('paused_message'),
    pausedLink: text('paused_link'),
    /** Whether the last check has flagged the link: then it is not shown. */
    isPausedLinkFlagged: boolean('paused_link_flagged').notNull().default(false),
    /** Number of the account's codes: the total of its list. */
    qrCount: integer('qr_count').notNull().default(0),
    /** The domain of new codes, see `domains`. Null for the main one. */
    domain: text('domain'),
    /** The design of new codes. Null only within the transaction that creates the account. */
    defaultDesignId: integer('default_design_id'),
    /** Until when a process has the account's turn to write a bulk edit. */
    bulkEditUntilMs: integer('bulk_edit_until').notNull().default(0),
    /** Secret of the second factor in base32. Null while it is off. */
    totpSecret: text('totp_secret'),
    /** Time step of its last code: no code is used twice. */
    totpStep: integer('totp_step').notNull().default(0),
    /** Hashes of the recovery codes, separated by spaces. */
    recoveryCodes: text('recovery_codes').notNull().default(''),
    /**
     * When its last API keys were generated, in milliseconds, separated by spaces.
     * Their limit counts them.
     */
    keyGenerations: text('key_generations').notNull().default(''),
    createdAtMs: integer('created_at').notNull(),
  });

  const accountReference = () => reference('account_id', () => accounts.id);

  /** One API key per account. */
  const apiKeys = table('api_keys', {
    accountId: accountReference().primaryKey(),
    hash: text('hash').notNull().unique(),
    lastFour: text('last_four').notNull(),
    /** The key that this one replaced, and until when it works beside it. Null for none. */
    formerHash: text('former_hash').unique(),
    formerLastFour: text('former_last_four'),
    formerUntilMs: integer('former_until'),
    createdAtMs: integer('created_at').notNull(),
    lastUsedAtMs: integer('last_used_at'),
  });

  /** Sessions of the account panel, by the hash of their token. */
  const sessions = table(
    'sessions',
    {
      hash: text('hash').primaryKey(),
      /** The account that is signed in. */
      accountId: accountReference(),
      /** In whose account the person works. Null for the own one. It may be gone: ids are never reused. */
      enteredAccountId: integer('entered_account_id'),
      /** Browser and system, such as `Firefox on Linux`. */
      device: text('device').notNull().default(''),
      createdAtMs: integer('created_at').notNull(),
      lastSeenAtMs: integer('last_seen_at').notNull(),
      /** When it was last proven who uses it, which signing in does. 0 if an earlier version began it. */
      confirmedAtMs: integer('confirmed_at').notNull().default(0),
      /** Whether an OpenID Connect provider has named who signed in. */
      isProvided: boolean('is_provided').notNull().default(false),
    },
    (session) => [
      index('sessions_by_account').on(session.accountId),
      index('sessions_by_entered_account')
        .on(session.enteredAccountId, session.accountId)
        .where(sql`${session.enteredAccountId} is not null`),
    ],
  );

  /** Browsers that signed in before and skip the sign-in throttle, by the hash of their token. */
  const trustedBrowsers = table(
    'trusted_browsers',
    {
      hash: text('hash').primaryKey(),
      accountId: accountReference(),
      createdAtMs: integer('created_at').notNull(),
    },
    (browser) => [index('trusted_browsers_by_account').on(browser.accountId)],
  );

  /** Who people are at an OpenID Connect provider. An account has one identity at most. */
  const identities = table(
    'identities',
    {
      issuer: text('issuer').notNull(),
      subject: text('subject').notNull(),
      // A version that does not know the table deletes accounts too.
      accountId: integer('account_id')
        .notNull()
        .unique()
        .references(() => accounts.id, { onDelete: 'cascade' }),
      boundAtMs: integer('bound_at').notNull(),
      lastUsedAtMs: integer('last_used_at'),
    },
    (identity) => [primaryKey({ columns: [identity.issuer, identity.subject] })],
  );

  /** One-time links to the account panel, by the hash of their token. */
  const signInLinks = table('sign_in_links', {
    hash: text('hash').primaryKey(),
    /** Null for the link that creates the first account. */
    accountId: integer('account_id').references(() => accounts.id),
    expiresAtMs: integer('expires_at').notNull(),
  });

  /**
   * An account, of which a row is a part.
   * A server of the version before deletes accounts and does not know the table.
   */
  const ownedBy = (name: string) =>
    integer(name)
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' });

  /** What is proven of a sign-in while more is asked for, by the hash of its token. */
  const signInSteps = table(
    'sign_in_steps',
    {
      hash: text('hash').primaryKey(),
      accountId: ownedBy('account_id'),
      kind: text('kind').$type<SignInStep['kind']>().notNull(),
      /** What a provider has said. Null if none was asked. */
      issuer: text('issuer'),
      subject: text('subject'),
      isOperator: boolean('is_operator'),
      /** The session that it belongs to. Null while nobody is signed in. */
      sessionHash: text('session_hash'),
      createdAtMs: integer('created_at').notNull(),
    },
    (step) => [index('sign_in_steps_by_account').on(step.accountId)],
  );

  /** Who may enter an account beside its owner. */
  const members = table(
    'members',
    {
      accountId: ownedBy('account_id'),
      /** The account of the person. */
      memberId: ownedBy('member_id'),
      role: text('role').$type<MemberRole>().notNull(),
      sinceMs: integer('since').notNull(),
    },
    (member) => [
      primaryKey({ columns: [member.accountId, member.memberId] }),
      index('members_by_member').on(member.memberId, member.accountId),
      check('members_role', sql`${member.role} in ('viewer', 'editor')`),
    ],
  );

  /** Links with which invited people join an account, by the hash of their token. */
  const invitations = table(
    'invitations',
    {
      hash: text('hash').primaryKey(),
      accountId: ownedBy('account_id'),
      /** Lower case. */
      email: text('email').notNull(),
      role: text('role').$type<MemberRole>().notNull(),
      createdAtMs: integer('created_at').notNull(),
      expiresAtMs: integer('expires_at').notNull(),
    },
    (invitation) => [
      uniqueIndex('invitations_by_email').on(invitation.accountId, invitation.email),
      check('invitations_role', sql`${invitation.role} in ('viewer', 'editor')`),
    ],
  );

  /** Designs. Rows never change. */
  const designs = table(
    'designs',
    {
      id: id(),
      accountId: accountReference(),
      settings: json<DesignSettings>('settings').notNull(),
      logoPng: bytes('logo_png'),
      /** Hash of the sample PNG, see `hashSamplePng`. Null before the first code. */
      pngHash: bytes('png_hash'),
      createdAtMs: integer('created_at').notNull(),
    },
    (design) => [index('designs_by_account').on(design.accountId, design.id)],
  );

  /** Designs that an account named, to choose one for new codes. */
  const savedDesigns = table(
    'saved_designs',
    {
      id: id(),
      accountId: accountReference(),
      name: text('name').notNull(),
      designId: reference('design_id', () => designs.id),
      savedAtMs: integer('saved_at').notNull(),
    },
    (saved) => [uniqueIndex('saved_designs_by_name').on(saved.accountId, saved.name)],
  );

  /** Logos that are not saved yet, by the hash of their PNG, kept for a day. */
  const pictures = table(
    'pictures',
    {
      id: id(),
      accountId: ownedBy('account_id'),
      digest: text('digest').notNull(),
      content: bytes('content').notNull(),
      keptAtMs: integer('kept_at').notNull(),
    },
    (picture) => [
      uniqueIndex('pictures_by_digest').on(picture.accountId, picture.digest),
      index('pictures_by_time').on(picture.keptAtMs),
    ],
  );

  /** Dynamic QR codes, and imported links, which have no design and no image. */
  const qrs = table(
    'qrs',
    {
      id: id(),
      /** Lower case; of an imported link, its path with the case kept. */
      code: text('code').notNull().unique(),
      accountId: accountReference(),
      ...mapLabels((name) => text(name)),
      /** The path in its folded form, see `foldPath`. */
      foldedPath: text('folded_path'),
      /** The same of the path of an imported link. Null for a code. */
      foldedCode: text('folded_code'),
      /** When it got its path. Null for none, or when an earlier version set it. */
      pathSinceMs: integer('path_since'),
      /** See `nameSortKey`. */
      nameKey: text('name_key').notNull().default('2'),
      isArchived: boolean('archived').notNull().default(false),
      /** Null for an imported or stopped link, as is the hash. */
      designId: integer('design_id').references(() => designs.id),
      /** Placement of the logo in the images. Null for centered. */
      logoPlacement: json<LogoPlacement>('logo_placement'),
      /** The whole short link as printed. */
      shortLink: text('short_link').notNull(),
      /** Exactly as sent. Empty for a stopped code. */
      destination: text('destination').notNull(),
      status: text('status').$type<QrStatus>().notNull().default('active'),
      /** Status to restore when an operator lifts the block. */
      /** What its page says instead of the account's message while it is paused. */
      pausedMessage: text('paused_message'),
      statusBeforeBlock: text('status_before_block').$type<QrStatus>(),
      /** Why an operator has blocked it, for its owner. */
      blockReason: text('block_reason'),
      createdAtMs: integer('created_at').notNull(),
      /** Hash of the SVG at creation. */
      imageHash: bytes('image_hash'),
    },
    (qr) => [
      index('qrs_newest_first').on(qr.accountId, sql`${qr.createdAtMs} desc`, qr.code),
      // Lists and their totals are read from these alone.
      index('qrs_listed').on(qr.accountId, qr.isArchived, sql`${qr.createdAtMs} desc`, qr.code),
      index('qrs_by_name').on(qr.accountId, qr.isArchived, qr.nameKey, qr.id),
      ...([qr.folder, qr.designId, qr.status] as const).map((column) =>
        index(`qrs_by_${column.name}`).on(
          ...[qr.accountId, qr.isArchived, column],
          ...[sql`${qr.createdAtMs} desc`, qr.code],
        ),
      ),
      uniqueIndex('qrs_by_path').on(qr.path).where(sql`${qr.path} is not null`),
      index('qrs_by_folded_path').on(qr.foldedPath).where(sql`${qr.foldedPath} is not null`),
      index('qrs_by_folded_code').on(qr.foldedCode).where(sql`${qr.foldedCode} is not null`),
      index('qrs_blocked').on(qr.id).where(sql`${qr.status} = 'blocked'`),
      check('qrs_status', sql`${qr.status} in ('active', 'paused', 'blocked', 'stopped')`),
      check('qrs_image', sql`(${qr.designId} is null) = (${qr.imageHash} is null)`),
    ],
  );

  const qrReference = () => reference('qr_id', () => qrs.id);

  /** Domains that codes are printed with, beside the main one, which is a setting. */
  const domains = table('domains', {
    /** `scheme://host[:port]` in lower case. */
    url: text('url').primaryKey(),
    /** Whether all accounts may use it. Otherwise those of `domain_accounts`. */
    isForAll: boolean('for_all').notNull().default(true),
    /** Where `/` leads. Null for the front page of the server. */
    frontUrl: text('front_url'),
    /** Where unknown paths lead. Null for a page that says so. */
    notFoundUrl: text('not_found_url'),
    addedAtMs: integer('added_at').notNull(),
  });

  /** The accounts that may use a domain that is not for all. */
  const domainAccounts = table(
    'domain_accounts',
    {
      domain: text('domain')
        .notNull()
        .references(() => domains.url, { onDelete: 'cascade' }),
      accountId: ownedBy('account_id'),
    },
    (use) => [
      primaryKey({ columns: [use.domain, use.accountId] }),
      index('domain_accounts_by_account').on(use.accountId),
    ],
  );

  /** The domains of new codes in folders that have one of their own. */
  const folderDomains = table(
    'folder_domains',
    {
      accountId: ownedBy('account_id'),
      folder: text('folder').notNull(),
      /** Null for the main one. */
      domain: text('domain').references(() => domains.url, { onDelete: 'cascade' }),
    },
    (own) => [
      primaryKey({ columns: [own.accountId, own.folder] }),
      index('folder_domains_by_domain').on(own.domain),
    ],
  );

  /** Numbers that a check of a domain asks this server for at its address. Each is there for seconds. */
  const domainChecks = table('domain_checks', {
    nonce: text('nonce').primaryKey(),
    atMs: integer('at').notNull(),
  });

  /** Paths that codes had, kept from other accounts for a while. */
  const givenUpPaths = table(
    'given_up_paths',
    {
      path: text('path').primaryKey(),
      /** The code that had it last. */
      qrId: qrReference(),
      atMs: integer('at').notNull(),
    },
    (given) => [index('given_up_paths_by_qr').on(given.qrId, given.atMs)],
  );

  /** Earlier destinations of codes, and until when each was set. */
  const formerDestinations = table(
    'former_destinations',
    {
      id: id(),
      qrId: qrReference(),
      destination: text('destination').notNull(),
      untilMs: integer('until').notNull(),
      /** Whether a planned change replaced it. */
      isReplacedAsPlanned: boolean('replaced_as_planned').notNull().default(false),
    },
    (former) => [index('former_destinations_by_qr').on(former.qrId, former.id)],
  );

  /** Changes of codes that the server makes by itself, at a time of the account's zone. */
  const scheduledChanges = table(
    'planned_changes',
    {
      id: id(),
      qrId: qrReference(),
      accountId: ownedBy('account_id'),
      action: text('action').$type<ScheduledAction>().notNull(),
      /** Exactly as sent. Null unless the action is `destination`. */
      destination: text('destination'),
      /** Wall time of the first time, `2026-12-24T18:00`. */
      firstLocal: text('first_local').notNull(),
      /** Null for once. */
      every: text('every').$type<Period>(),
      /** When it is made next. Null when it is over and could not be made. */
      nextMs: integer('next_at'),
      /** Why it was not made the last time. */
      problem: text('problem').$type<ScheduleProblem>(),
      /** The account that planned it. Null for a command. */
      scheduledById: integer('planned_by').references(() => accounts.id, { onDelete: 'set null' }),
      createdAtMs: integer('created_at').notNull(),
    },
    (planned) => [
      index('planned_changes_due').on(planned.nextMs, planned.id),
      index('planned_changes_by_qr').on(planned.qrId),
      index('planned_changes_by_account').on(planned.accountId, planned.nextMs),
      index('planned_changes_by_planner').on(planned.scheduledById),
      index('planned_changes_problems')
        .on(planned.accountId, planned.id)
        .where(sql`${planned.problem} is not null`),
      check(
        'planned_changes_destination',
        sql`(${planned.action} = 'destination') = (${planned.destination} is not null)`,
      ),
    ],
  );

  /** Who did what in an account. Written in the transaction of the change. */
  const activity = table(
    'activity',
    {
      id: id(),
      // A server of the version before deletes accounts and does not know this table.
      accountId: integer('account_id')
        .notNull()
        .references(() => accounts.id, { onDelete: 'cascade' }),
      atMs: integer('at').notNull(),
      /** See `storedActor`. It may name an account that was deleted. */
      actor: text('actor').notNull(),
      topic: text('topic').$type<Topic>().notNull(),
      kind: text('kind').$type<ActivityKind>().notNull(),
      /** No reference: codes are never deleted, and each create would look it up. */
      qrId: integer('qr_id'),
      subject: text('subject'),
      before: text('before'),
      after: text('after'),
      codes: integer('codes'),
    },
    (entry) => [
      // The newest of all topics are read from both by topic: a further index would cost each change.
      index('activity_by_topic').on(entry.accountId, entry.topic, entry.id),
      index('activity_by_actor').on(entry.accountId, entry.actor, entry.topic, entry.id),
      index('activity_by_code').on(entry.qrId, entry.id).where(sql`${entry.qrId} is not null`),
      // A person's address is erased with the account, and replaced with another.
      index('activity_by_person')
        .on(entry.subject)
        .where(sql`${entry.topic} = 'people' and ${entry.subject} is not null`),
    ],
  );

  /** Tables of codes to create, and their progress. */
  const batches = table(
    'batches',
    {
      id: id(),
      accountId: accountReference(),
      designId: reference('design_id', () => designs.id),
      state: text('state').$type<BatchState>().notNull(),
      /** Why it ended early, in words. */
      problem: text('problem'),
      /** Sentences for its owner, a line each. */
      notices: text('notices').notNull().default(''),
      /** Hash of the table and the design, by which an interrupted import is found again. */
      digest: bytes('digest').notNull(),
      createdAtMs: integer('created_at').notNull(),
      /** Until when the process that creates the codes has the batch for itself. */
      leaseUntilMs: integer('lease_until').notNull().default(0),
    },
    (batch) => [
      index('batches_by_account').on(batch.accountId, batch.id),
      index('batches_running').on(batch.id).where(sql`${batch.state} = 'running'`),
    ],
  );

  const batchRows = table(
    'batch_rows',
    {
      batchId: reference('batch_id', () => batches.id),
      /** Number of the line in the file, from 1. */
      row: integer('row').notNull(),
      ...mapLabels((name) => text(name)),
      destination: text('destination').notNull(),
      /** The domain of its code; as in the file if it cannot be used, and null for the usual one. */
      domain: text('domain'),
      /** Why no code is created, in words. */
      problem: text('problem'),
      /** The created code. */
      qrId: integer('qr_id').references(() => qrs.id),
    },
    (row) => [primaryKey({ columns: [row.batchId, row.row] })],
  );

  /** The file of a draft about whose columns somebody has to say more. It is removed when its codes are created. */
  const batchFiles = table('batch_files', {
    // Servers of the previous version, which know nothing of it, may remove the batch.
    batchId: integer('batch_id')
      .primaryKey()
      .references(() => batches.id, { onDelete: 'cascade' }),
    content: bytes('content').notNull(),
  });

  /** What the columns of a table are that has these headers, as somebody of the account said last. */
  const columnChoices = table(
    'column_choices',
    {
      // As above, an account.
      accountId: integer('account_id')
        .notNull()
        .references(() => accounts.id, { onDelete: 'cascade' }),
      /** Hash of the headers. */
      headers: bytes('headers').notNull(),
      /** The roles of the columns, with commas between. */
      roles: text('roles').notNull(),
      chosenAtMs: integer('chosen_at').notNull(),
    },
    (choice) => [primaryKey({ columns: [choice.accountId, choice.headers] })],
  );

  /** The last bulk edit of each account. */
  const bulkEdits = table(
    'bulk_edits',
    {
      id: id(),
      accountId: accountReference().unique(),
      kind: text('kind').$type<BulkEditKind>().notNull(),
      /** Replaced text, null for whole destinations, and its replacement or folder; null for other kinds. */
      replaced: text('replaced'),
      replacement: text('replacement'),
      atMs: integer('at').notNull(),
      /** Its entry in the activity, and that of its undo. Null before the first code is changed. */
      entryId: integer('entry_id'),
      undoEntryId: integer('undo_entry_id'),
      // As servers of the previous version leave it, which make an edit in one go.
      state: text('state').$type<BulkEditState>().notNull().default('done'),
      /** Who makes or undoes it, see `storedActor`. Null in edits of the previous version. */
      actor: text('actor'),
      /** Why it ended early. */
      problem: text('problem'),
    },
    (edit) => [
      index('bulk_edits_running').on(edit.id).where(sql`${edit.state} in ('running', 'undoing')`),
    ],
  );

  /** The codes of a bulk edit, and what has become of each. */
  const bulkEditChanges = table(
    'bulk_edit_changes',
    {
      bulkEditId: reference('bulk_edit_id', () => bulkEdits.id),
      qrId: qrReference(),
      before: text('before').notNull(),
      after: text('after').notNull(),
      outcome: text('outcome').$type<EditOutcome>().notNull().default('made'),
      /** Why the code was left out. */
      problem: text('problem'),
    },
    (change) => [primaryKey({ columns: [change.bulkEditId, change.qrId] })],
  );

  /** Idempotency keys of the last 24 hours and the QRs created with them. */
  const idempotencyKeys = table(
    'idempotency_keys',
    {
      /** Hash of the API key's hash, the `Idempotency-Key` header and the body. */
      digest: bytes('digest').primaryKey(),
      qrId: qrReference(),
      createdAtMs: integer('created_at').notNull(),
    },
    (key) => [index('idempotency_keys_by_age').on(key.createdAtMs)],
  );

  /** The short URL of the server that started last: one row. Version 1.1.0 also has its aliases. */
  const servedPrefixes = table('served_prefixes', {
    prefix: text('prefix').primaryKey(),
  });

  /**
   * Addresses in printed codes that are no `domains`: those of the main domain. Every start compares them with the
   * settings.
   */
  const shortUrlPrefixes = table('short_url_prefixes', {
    /** `scheme://host[:port][/path]` */
    prefix: text('prefix').primaryKey(),
  });

  /** Server versions that have served this database, one row per change. */
  const serverVersions = table('server_versions', {
    id: id(),
    version: text('version').notNull(),
    /** See rendererIdentity in render/. */
    renderer: text('renderer').notNull(),
    sinceMs: integer('since').notNull(),
  });

  /** The last backup that "waymark backup" has written and verified: one row at most. */
  const lastBackup = table('last_backup', {
    /** Always 1. */
    id: integer('id').primaryKey(),
    finishedAtMs: integer('finished_at').notNull(),
  });

  // The counters have no foreign keys: they are written in bulk, and codes are never deleted.

  /** One row per code. */
  const scanCounters = table('scan_counters', {
    qrId: integer('qr_id').primaryKey(),
    /** The account of the code. */
    accountId: integer('account_id'),
    scans: integer('scans').notNull(),
    /** 0 when there is none, or the scans of an imported link have no date. */
    lastScanMs: integer('last_scan').notNull(),
    /** Scans in the hour of the last scan, so that most scans write this row only. */
    scansInHour: integer('scans_in_hour').notNull().default(0),
    /** Not used any more: copies of 1.1.0 beside this one write and read it. */
    rankedScans: integer('ranked_scans').notNull().default(0),
    /** Start of the hour of the last scan; 0 for none. */
    lastHourMs: integer('last_hour').notNull().default(0),
  });

  /** Scans per hour, without those in `scansInHour`. */
  const hourlyScans = table(
    'hourly_scans',
    {
      qrId: integer('qr_id').notNull(),
      /** Start of the hour. */
      hourMs: integer('hour').notNull(),
      scans: integer('scans').notNull(),
    },
    (hourly) => [primaryKey({ columns: [hourly.qrId, hourly.hourMs] })],
  );

  const uncountedHits = table(
    'uncounted_hits',
    {
      qrId: integer('qr_id').notNull(),
      /** Index in `hitKinds`. */
      kind: smallint('kind').notNull(),
      hits: integer('hits').notNull(),
    },
    (hit) => [primaryKey({ columns: [hit.qrId, hit.kind] })],
  );

  return {
    accounts,
    apiKeys,
    sessions,
    trustedBrowsers,
    signInLinks,
    signInSteps,
    identities,
    members,
    invitations,
    designs,
    savedDesigns,
    pictures,
    qrs,
    domains,
    domainAccounts,
    folderDomains,
    domainChecks,
    givenUpPaths,
    formerDestinations,
    scheduledChanges,
    activity,
    batches,
    batchRows,
    batchFiles,
    columnChoices,
    bulkEdits,
    bulkEditChanges,
    idempotencyKeys,
    servedPrefixes,
    shortUrlPrefixes,
    serverVersions,
    lastBackup,
    scanCounters,
    hourlyScans,
    uncountedHits,
    ...createSafetyTables(columns, qrs),
  };
}
