ALTER TABLE `accounts` ADD `totp_secret` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `totp_step` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `recovery_codes` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text DEFAULT '' NOT NULL;