ALTER TABLE `batch_rows` ADD `folder` text;--> statement-breakpoint
ALTER TABLE `qrs` ADD `folder` text;