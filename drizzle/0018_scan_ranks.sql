DROP INDEX `scan_counters_by_scans`;--> statement-breakpoint
DROP INDEX `scan_counters_by_last_scan`;--> statement-breakpoint
ALTER TABLE `scan_counters` ADD `ranked_scans` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `scan_counters` ADD `last_hour` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `scan_counters` SET `ranked_scans` = `scans`, `last_hour` = `last_scan` - `last_scan` % 3600000;--> statement-breakpoint
CREATE INDEX `scan_counters_by_rank` ON `scan_counters` (`account_id`,`ranked_scans`,`qr_id`);--> statement-breakpoint
CREATE INDEX `scan_counters_by_hour` ON `scan_counters` (`account_id`,`last_hour`,`qr_id`);