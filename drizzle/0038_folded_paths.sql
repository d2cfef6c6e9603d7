ALTER TABLE `qrs` ADD `folded_path` text;--> statement-breakpoint
ALTER TABLE `qrs` ADD `folded_code` text;--> statement-breakpoint
CREATE INDEX `qrs_by_folded_path` ON `qrs` (`folded_path`) WHERE "qrs"."folded_path" is not null;--> statement-breakpoint
CREATE INDEX `qrs_by_folded_code` ON `qrs` (`folded_code`) WHERE "qrs"."folded_code" is not null;