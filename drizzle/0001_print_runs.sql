CREATE TABLE `batch_rows` (
	`batch_id` integer NOT NULL,
	`row` integer NOT NULL,
	`name` text,
	`destination` text NOT NULL,
	`note` text,
	`problem` text,
	`qr_id` integer,
	PRIMARY KEY(`batch_id`, `row`),
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `batches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`design_id` integer NOT NULL,
	`state` text NOT NULL,
	`problem` text,
	`digest` blob NOT NULL,
	`created_at` integer NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`design_id`) REFERENCES `designs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `batches_by_account` ON `batches` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `batches_running` ON `batches` (`id`) WHERE "batches"."state" = 'running';--> statement-breakpoint
CREATE TABLE `bulk_edit_changes` (
	`bulk_edit_id` integer NOT NULL,
	`qr_id` integer NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL,
	PRIMARY KEY(`bulk_edit_id`, `qr_id`),
	FOREIGN KEY (`bulk_edit_id`) REFERENCES `bulk_edits`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bulk_edits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`replaced` text,
	`replacement` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bulk_edits_account_id_unique` ON `bulk_edits` (`account_id`);--> statement-breakpoint
CREATE TABLE `saved_designs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`design_id` integer NOT NULL,
	`saved_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`design_id`) REFERENCES `designs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_designs_by_name` ON `saved_designs` (`account_id`,`name`);--> statement-breakpoint
CREATE TABLE `__new_qrs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`account_id` integer NOT NULL,
	`name` text,
	`note` text,
	`design_id` integer,
	`logo_placement` text,
	`short_link` text NOT NULL,
	`destination` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`status_before_block` text,
	`created_at` integer NOT NULL,
	`image_hash` blob,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`design_id`) REFERENCES `designs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "qrs_status" CHECK("__new_qrs"."status" in ('active', 'paused', 'blocked')),
	CONSTRAINT "qrs_image" CHECK(("__new_qrs"."design_id" is null) = ("__new_qrs"."image_hash" is null))
);
--> statement-breakpoint
INSERT INTO `__new_qrs`("id", "code", "account_id", "name", "note", "design_id", "logo_placement", "short_link", "destination", "status", "status_before_block", "created_at", "image_hash") SELECT "id", "code", "account_id", NULL, NULL, "design_id", "logo_placement", "short_link", "destination", "status", "status_before_block", "created_at", "image_hash" FROM `qrs`;--> statement-breakpoint
DROP TABLE `qrs`;--> statement-breakpoint
ALTER TABLE `__new_qrs` RENAME TO `qrs`;--> statement-breakpoint
CREATE UNIQUE INDEX `qrs_code_unique` ON `qrs` (`code`);--> statement-breakpoint
CREATE INDEX `qrs_newest_first` ON `qrs` (`account_id`,"created_at" desc,`code`);--> statement-breakpoint
CREATE INDEX `qrs_blocked` ON `qrs` (`id`) WHERE "qrs"."status" = 'blocked';--> statement-breakpoint
ALTER TABLE `accounts` ADD `default_design_id` integer;--> statement-breakpoint
UPDATE `accounts` SET `default_design_id` = (SELECT max(`id`) FROM `designs` WHERE `account_id` = `accounts`.`id`);
