CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`is_operator` integer DEFAULT false NOT NULL,
	`plan_until` integer,
	`qr_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_unique` ON `accounts` (`email`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`last_four` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE TABLE `designs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`settings` text NOT NULL,
	`logo_png` blob,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `designs_by_account` ON `designs` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `former_destinations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`qr_id` integer NOT NULL,
	`destination` text NOT NULL,
	`until` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `former_destinations_by_qr` ON `former_destinations` (`qr_id`,`id`);--> statement-breakpoint
CREATE TABLE `hourly_scans` (
	`qr_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`scans` integer NOT NULL,
	PRIMARY KEY(`qr_id`, `hour`)
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`digest` blob PRIMARY KEY NOT NULL,
	`qr_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `qrs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`account_id` integer NOT NULL,
	`design_id` integer NOT NULL,
	`logo_placement` text,
	`short_link` text NOT NULL,
	`destination` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`status_before_block` text,
	`created_at` integer NOT NULL,
	`image_hash` blob NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`design_id`) REFERENCES `designs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "qrs_status" CHECK("qrs"."status" in ('active', 'paused', 'blocked'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `qrs_code_unique` ON `qrs` (`code`);--> statement-breakpoint
CREATE INDEX `qrs_newest_first` ON `qrs` (`account_id`,"created_at" desc,`code`);--> statement-breakpoint
CREATE INDEX `qrs_blocked` ON `qrs` (`id`) WHERE "qrs"."status" = 'blocked';--> statement-breakpoint
CREATE TABLE `scan_counters` (
	`qr_id` integer PRIMARY KEY NOT NULL,
	`scans` integer NOT NULL,
	`last_scan` integer NOT NULL,
	`scans_in_hour` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scan_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`hits` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `server_versions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` text NOT NULL,
	`renderer` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_by_account` ON `sessions` (`account_id`);--> statement-breakpoint
CREATE TABLE `short_url_prefixes` (
	`prefix` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `trusted_browsers` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `trusted_browsers_by_account` ON `trusted_browsers` (`account_id`);--> statement-breakpoint
CREATE TABLE `uncounted_hits` (
	`qr_id` integer NOT NULL,
	`kind` integer NOT NULL,
	`hits` integer NOT NULL,
	PRIMARY KEY(`qr_id`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `flags` (
	`qr_id` integer PRIMARY KEY NOT NULL,
	`list` text NOT NULL,
	`expression` text NOT NULL,
	`since` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `list_sources` (
	`name` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`last_update` text
);
--> statement-breakpoint
CREATE TABLE `recheck_queue` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`qr_id` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recheck_queue_qr_id_unique` ON `recheck_queue` (`qr_id`);--> statement-breakpoint
CREATE TABLE `recheck_runs` (
	`kind` text PRIMARY KEY NOT NULL,
	`list_version` text NOT NULL,
	`started_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`expression` text NOT NULL,
	`decision` text NOT NULL,
	`added_at` integer NOT NULL,
	`note` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rules_expression_unique` ON `rules` (`expression`);