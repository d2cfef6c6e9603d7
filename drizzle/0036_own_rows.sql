ALTER TABLE `qrs` ADD `path_since` integer;--> statement-breakpoint
ALTER TABLE `flags` ADD `account_id` integer;--> statement-breakpoint
UPDATE `flags` SET `account_id` = (SELECT `account_id` FROM `qrs` WHERE `qrs`.`id` = `flags`.`qr_id`);--> statement-breakpoint
CREATE INDEX `flags_by_account` ON `flags` (`account_id`,`qr_id`);--> statement-breakpoint
CREATE INDEX `given_up_paths_by_qr` ON `given_up_paths` (`qr_id`,`at`);