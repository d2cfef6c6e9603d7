PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_scan_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`entries` blob NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_scan_log`("id", "entries") SELECT "id", "entries" FROM `scan_log`;--> statement-breakpoint
DROP TABLE `scan_log`;--> statement-breakpoint
ALTER TABLE `__new_scan_log` RENAME TO `scan_log`;--> statement-breakpoint
PRAGMA foreign_keys=ON;