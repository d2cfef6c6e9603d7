CREATE TABLE `given_up_paths` (
	`path` text PRIMARY KEY NOT NULL,
	`qr_id` integer NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `qrs` ADD `path` text;--> statement-breakpoint
CREATE UNIQUE INDEX `qrs_by_path` ON `qrs` (`path`) WHERE "qrs"."path" is not null;--> statement-breakpoint
ALTER TABLE `batch_rows` ADD `path` text;