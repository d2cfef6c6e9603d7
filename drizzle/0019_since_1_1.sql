-- A refused upgrade may have made it, see `returnHits`.
CREATE TABLE IF NOT EXISTS `hit_progress` (
	`log` integer PRIMARY KEY NOT NULL,
	`folded` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `redirect_steps` (
	`id` integer PRIMARY KEY NOT NULL,
	`code` text
);
--> statement-breakpoint
CREATE TABLE `sign_in_steps` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`issuer` text,
	`subject` text,
	`is_operator` integer,
	`session_hash` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_in_steps_by_account` ON `sign_in_steps` (`account_id`);
--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`account_id` integer NOT NULL,
	`bound_at` integer NOT NULL,
	`last_used_at` integer,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_account_id_unique` ON `identities` (`account_id`);
--> statement-breakpoint
CREATE TABLE `members` (
	`account_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`role` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`account_id`, `member_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`member_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "members_role" CHECK("members"."role" in ('viewer', 'editor'))
);
--> statement-breakpoint
CREATE INDEX `members_by_member` ON `members` (`member_id`,`account_id`);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "invitations_role" CHECK("invitations"."role" in ('viewer', 'editor'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_email` ON `invitations` (`account_id`,`email`);
--> statement-breakpoint
CREATE TABLE `pictures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`digest` text NOT NULL,
	`content` blob NOT NULL,
	`kept_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pictures_by_digest` ON `pictures` (`account_id`,`digest`);
--> statement-breakpoint
CREATE INDEX `pictures_by_time` ON `pictures` (`kept_at`);
--> statement-breakpoint
CREATE TABLE `domains` (
	`url` text PRIMARY KEY NOT NULL,
	`for_all` integer DEFAULT true NOT NULL,
	`front_url` text,
	`not_found_url` text,
	`added_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `domain_accounts` (
	`domain` text NOT NULL,
	`account_id` integer NOT NULL,
	PRIMARY KEY(`domain`, `account_id`),
	FOREIGN KEY (`domain`) REFERENCES `domains`(`url`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `domain_accounts_by_account` ON `domain_accounts` (`account_id`);
--> statement-breakpoint
CREATE TABLE `folder_domains` (
	`account_id` integer NOT NULL,
	`folder` text NOT NULL,
	`domain` text,
	PRIMARY KEY(`account_id`, `folder`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`domain`) REFERENCES `domains`(`url`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `folder_domains_by_domain` ON `folder_domains` (`domain`);
--> statement-breakpoint
CREATE TABLE `domain_checks` (
	`nonce` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `given_up_paths` (
	`path` text PRIMARY KEY NOT NULL,
	`qr_id` integer NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `given_up_paths_by_qr` ON `given_up_paths` (`qr_id`,`at`);
--> statement-breakpoint
CREATE TABLE `planned_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`qr_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`action` text NOT NULL,
	`destination` text,
	`first_local` text NOT NULL,
	`every` text,
	`next_at` integer,
	`problem` text,
	`planned_by` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`planned_by`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "planned_changes_destination" CHECK(("planned_changes"."action" = 'destination') = ("planned_changes"."destination" is not null))
);
--> statement-breakpoint
CREATE INDEX `planned_changes_due` ON `planned_changes` (`next_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planned_changes_by_qr` ON `planned_changes` (`qr_id`);
--> statement-breakpoint
CREATE INDEX `planned_changes_by_account` ON `planned_changes` (`account_id`,`next_at`);
--> statement-breakpoint
CREATE INDEX `planned_changes_by_planner` ON `planned_changes` (`planned_by`);
--> statement-breakpoint
CREATE INDEX `planned_changes_problems` ON `planned_changes` (`account_id`,`id`) WHERE "planned_changes"."problem" is not null;
--> statement-breakpoint
CREATE TABLE `activity` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`topic` text NOT NULL,
	`kind` text NOT NULL,
	`qr_id` integer,
	`subject` text,
	`before` text,
	`after` text,
	`codes` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `activity_by_topic` ON `activity` (`account_id`,`topic`,`id`);
--> statement-breakpoint
CREATE INDEX `activity_by_actor` ON `activity` (`account_id`,`actor`,`topic`,`id`);
--> statement-breakpoint
CREATE INDEX `activity_by_code` ON `activity` (`qr_id`,`id`) WHERE "activity"."qr_id" is not null;
--> statement-breakpoint
CREATE INDEX `activity_by_person` ON `activity` (`subject`) WHERE "activity"."topic" = 'people' and "activity"."subject" is not null;
--> statement-breakpoint
CREATE TABLE `batch_files` (
	`batch_id` integer PRIMARY KEY NOT NULL,
	`content` blob NOT NULL,
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `column_choices` (
	`account_id` integer NOT NULL,
	`headers` blob NOT NULL,
	`roles` text NOT NULL,
	`chosen_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `headers`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
DROP INDEX `scan_counters_by_rank`;
--> statement-breakpoint
DROP INDEX `scan_counters_by_hour`;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `time_zone` text;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `language` text;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `business_name` text;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `paused_message` text;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `paused_link` text;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `paused_link_flagged` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `domain` text;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `entered_account_id` integer;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `confirmed_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `is_provided` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `sessions_by_entered_account` ON `sessions` (`entered_account_id`,`account_id`) WHERE "sessions"."entered_account_id" is not null;
--> statement-breakpoint
ALTER TABLE `qrs` ADD `path` text;
--> statement-breakpoint
ALTER TABLE `qrs` ADD `query` text;
--> statement-breakpoint
ALTER TABLE `qrs` ADD `folded_path` text;
--> statement-breakpoint
ALTER TABLE `qrs` ADD `folded_code` text;
--> statement-breakpoint
ALTER TABLE `qrs` ADD `path_since` integer;
--> statement-breakpoint
ALTER TABLE `qrs` ADD `paused_message` text;
--> statement-breakpoint
CREATE UNIQUE INDEX `qrs_by_path` ON `qrs` (`path`) WHERE "qrs"."path" is not null;
--> statement-breakpoint
CREATE INDEX `qrs_by_folded_path` ON `qrs` (`folded_path`) WHERE "qrs"."folded_path" is not null;
--> statement-breakpoint
CREATE INDEX `qrs_by_folded_code` ON `qrs` (`folded_code`) WHERE "qrs"."folded_code" is not null;
--> statement-breakpoint
ALTER TABLE `former_destinations` ADD `replaced_as_planned` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `batch_rows` ADD `path` text;
--> statement-breakpoint
ALTER TABLE `batch_rows` ADD `query` text;
--> statement-breakpoint
ALTER TABLE `batch_rows` ADD `domain` text;
--> statement-breakpoint
ALTER TABLE `bulk_edits` ADD `entry_id` integer;
--> statement-breakpoint
ALTER TABLE `bulk_edits` ADD `undo_entry_id` integer;
--> statement-breakpoint
ALTER TABLE `bulk_edits` ADD `state` text DEFAULT 'done' NOT NULL;
--> statement-breakpoint
ALTER TABLE `bulk_edits` ADD `actor` text;
--> statement-breakpoint
ALTER TABLE `bulk_edits` ADD `problem` text;
--> statement-breakpoint
CREATE INDEX `bulk_edits_running` ON `bulk_edits` (`id`) WHERE "bulk_edits"."state" in ('running', 'undoing');
--> statement-breakpoint
ALTER TABLE `bulk_edit_changes` ADD `outcome` text DEFAULT 'made' NOT NULL;
--> statement-breakpoint
ALTER TABLE `bulk_edit_changes` ADD `problem` text;
--> statement-breakpoint
ALTER TABLE `flags` ADD `account_id` integer;
--> statement-breakpoint
UPDATE `flags` SET `account_id` = (SELECT `account_id` FROM `qrs` WHERE `qrs`.`id` = `flags`.`qr_id`);
--> statement-breakpoint
CREATE INDEX `flags_by_account` ON `flags` (`account_id`,`qr_id`);
--> statement-breakpoint
INSERT INTO `redirect_steps` VALUES (1, NULL);
--> statement-breakpoint
CREATE TRIGGER `redirect_steps_kept` AFTER INSERT ON `redirect_steps` BEGIN
	DELETE FROM `redirect_steps` WHERE `id` <= NEW.`id` - 1000;
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_deleted` AFTER DELETE ON `qrs` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (OLD.`code`);
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_flagged` AFTER INSERT ON `flags` BEGIN
	INSERT INTO `redirect_steps` (`code`) SELECT `code` FROM `qrs` WHERE `id` = NEW.`qr_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_flag_edited` AFTER UPDATE OF `qr_id`, `list` ON `flags` BEGIN
	INSERT INTO `redirect_steps` (`code`) SELECT `code` FROM `qrs` WHERE `id` IN (OLD.`qr_id`, NEW.`qr_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_unflagged` AFTER DELETE ON `flags` BEGIN
	INSERT INTO `redirect_steps` (`code`) SELECT `code` FROM `qrs` WHERE `id` = OLD.`qr_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_edited` AFTER UPDATE OF `id`, `code`, `destination`, `status`, `query` ON `qrs`
WHEN OLD.`id` <> NEW.`id` OR OLD.`code` <> NEW.`code` OR OLD.`destination` <> NEW.`destination` OR OLD.`status` <> NEW.`status` OR OLD.`query` IS NOT NEW.`query` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (OLD.`code`);
END;
--> statement-breakpoint
CREATE TRIGGER `domain_added` AFTER INSERT ON `domains` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (substr(NEW.`url`, instr(NEW.`url`, '//')));
END;
--> statement-breakpoint
CREATE TRIGGER `domain_edited` AFTER UPDATE OF `url`, `front_url`, `not_found_url` ON `domains` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (substr(NEW.`url`, instr(NEW.`url`, '//')));
END;
--> statement-breakpoint
CREATE TRIGGER `domain_removed` AFTER DELETE ON `domains` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (substr(OLD.`url`, instr(OLD.`url`, '//')));
END;
