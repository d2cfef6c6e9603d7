CREATE TABLE `threat_list_entries` (
	`list_id` integer NOT NULL,
	`hash` blob NOT NULL,
	PRIMARY KEY(`list_id`, `hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `threat_lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text,
	`list` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `threat_lists_source_unique` ON `threat_lists` (`source`);