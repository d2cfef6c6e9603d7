CREATE TABLE `redirect_steps` (
	`id` integer PRIMARY KEY NOT NULL,
	`code` text
);
--> statement-breakpoint
INSERT INTO `redirect_steps` VALUES (1, NULL);
--> statement-breakpoint
CREATE TRIGGER `redirect_steps_kept` AFTER INSERT ON `redirect_steps` BEGIN
	DELETE FROM `redirect_steps` WHERE `id` <= NEW.`id` - 1000;
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_edited` AFTER UPDATE OF `id`, `code`, `destination`, `status` ON `qrs`
WHEN OLD.`id` <> NEW.`id` OR OLD.`code` <> NEW.`code` OR OLD.`destination` <> NEW.`destination` OR OLD.`status` <> NEW.`status` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (OLD.`code`);
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_deleted` AFTER DELETE ON `qrs` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (OLD.`code`);
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_flagged` AFTER INSERT ON `flags` BEGIN
	INSERT INTO `redirect_steps` (`code`) SELECT `code` FROM `qrs` WHERE `id` = NEW.`qr_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_flag_edited` AFTER UPDATE OF `qr_id`, `list` ON `flags` BEGIN
	INSERT INTO `redirect_steps` (`code`) SELECT `code` FROM `qrs` WHERE `id` IN (OLD.`qr_id`, NEW.`qr_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_unflagged` AFTER DELETE ON `flags` BEGIN
	INSERT INTO `redirect_steps` (`code`) SELECT `code` FROM `qrs` WHERE `id` = OLD.`qr_id`;
END;
