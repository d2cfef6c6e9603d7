CREATE TABLE `flags` (
	`qr_id` integer PRIMARY KEY NOT NULL,
	`list` text NOT NULL,
	`expression` text NOT NULL,
	`since` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `recheck_queue` (
	`qr_id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recheck_queue_by_age` ON `recheck_queue` (`since`);