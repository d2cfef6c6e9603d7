ALTER TABLE `bulk_edits` ADD `state` text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_edits` ADD `actor` text;--> statement-breakpoint
ALTER TABLE `bulk_edits` ADD `problem` text;--> statement-breakpoint
CREATE INDEX `bulk_edits_running` ON `bulk_edits` (`id`) WHERE "bulk_edits"."state" in ('running', 'undoing');--> statement-breakpoint
ALTER TABLE `bulk_edit_changes` ADD `outcome` text DEFAULT 'made' NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_edit_changes` ADD `problem` text;