ALTER TABLE `api_keys` ADD `former_hash` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `former_last_four` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `former_until` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_former_hash_unique` ON `api_keys` (`former_hash`);