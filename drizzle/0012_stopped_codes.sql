CREATE TABLE `__new_qrs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`account_id` integer NOT NULL,
	`name` text,
	`note` text,
	`folder` text,
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
	CONSTRAINT "qrs_status" CHECK("__new_qrs"."status" in ('active', 'paused', 'blocked', 'stopped')),
	CONSTRAINT "qrs_image" CHECK(("__new_qrs"."design_id" is null) = ("__new_qrs"."image_hash" is null))
);
--> statement-breakpoint
INSERT INTO `__new_qrs`("id", "code", "account_id", "name", "note", "folder", "design_id", "logo_placement", "short_link", "destination", "status", "status_before_block", "created_at", "image_hash") SELECT "id", "code", "account_id", "name", "note", "folder", "design_id", "logo_placement", "short_link", "destination", "status", "status_before_block", "created_at", "image_hash" FROM `qrs`;--> statement-breakpoint
DROP TABLE `qrs`;--> statement-breakpoint
ALTER TABLE `__new_qrs` RENAME TO `qrs`;--> statement-breakpoint
CREATE UNIQUE INDEX `qrs_code_unique` ON `qrs` (`code`);--> statement-breakpoint
CREATE INDEX `qrs_newest_first` ON `qrs` (`account_id`,"created_at" desc,`code`);--> statement-breakpoint
CREATE INDEX `qrs_blocked` ON `qrs` (`id`) WHERE "qrs"."status" = 'blocked';