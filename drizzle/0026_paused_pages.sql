ALTER TABLE `accounts` ADD `business_name` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `paused_message` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `paused_link` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `paused_link_flagged` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `qrs` ADD `paused_message` text;