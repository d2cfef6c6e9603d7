ALTER TABLE `bulk_edits` ADD `entry_id` integer;--> statement-breakpoint
ALTER TABLE `bulk_edits` ADD `undo_entry_id` integer;