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
CREATE INDEX `activity_by_topic` ON `activity` (`account_id`,`topic`,`id`);--> statement-breakpoint
CREATE INDEX `activity_by_actor` ON `activity` (`account_id`,`actor`,`topic`,`id`);--> statement-breakpoint
CREATE INDEX `activity_by_code` ON `activity` (`qr_id`,`id`) WHERE "activity"."qr_id" is not null;