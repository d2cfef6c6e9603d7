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
	FOREIGN KEY (`planned_by`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `planned_changes_due` ON `planned_changes` (`next_at`,`id`);--> statement-breakpoint
CREATE INDEX `planned_changes_by_qr` ON `planned_changes` (`qr_id`);--> statement-breakpoint
CREATE INDEX `planned_changes_by_account` ON `planned_changes` (`account_id`,`next_at`);--> statement-breakpoint
CREATE INDEX `planned_changes_by_planner` ON `planned_changes` (`planned_by`);--> statement-breakpoint
CREATE INDEX `planned_changes_problems` ON `planned_changes` (`account_id`,`id`) WHERE "planned_changes"."problem" is not null;