ALTER TABLE `qrs` ADD `name_key` text DEFAULT '2' NOT NULL;--> statement-breakpoint
ALTER TABLE `qrs` ADD `archived` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `qrs_listed` ON `qrs` (`account_id`,`archived`,"created_at" desc,`code`);--> statement-breakpoint
CREATE INDEX `qrs_by_name` ON `qrs` (`account_id`,`archived`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `qrs_by_folder` ON `qrs` (`account_id`,`archived`,`folder`,"created_at" desc,`code`);--> statement-breakpoint
CREATE INDEX `qrs_by_design_id` ON `qrs` (`account_id`,`archived`,`design_id`,"created_at" desc,`code`);--> statement-breakpoint
CREATE INDEX `qrs_by_status` ON `qrs` (`account_id`,`archived`,`status`,"created_at" desc,`code`);--> statement-breakpoint
ALTER TABLE `scan_counters` ADD `account_id` integer;--> statement-breakpoint
UPDATE scan_counters SET account_id = (SELECT account_id FROM qrs WHERE qrs.id = scan_counters.qr_id);--> statement-breakpoint
INSERT INTO scan_counters (qr_id, account_id, scans, last_scan) SELECT id, account_id, 0, 0 FROM qrs WHERE NOT EXISTS (SELECT 1 FROM scan_counters WHERE qr_id = qrs.id);--> statement-breakpoint
CREATE INDEX `scan_counters_by_scans` ON `scan_counters` (`account_id`,`scans`,`qr_id`);--> statement-breakpoint
CREATE INDEX `scan_counters_by_last_scan` ON `scan_counters` (`account_id`,`last_scan`,`qr_id`);