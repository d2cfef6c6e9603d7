CREATE TABLE `domains` (
	`url` text PRIMARY KEY NOT NULL,
	`for_all` integer DEFAULT true NOT NULL,
	`front_url` text,
	`not_found_url` text,
	`added_at` integer NOT NULL,
	`checked_at` integer,
	`problem` text
);
--> statement-breakpoint
CREATE TABLE `domain_accounts` (
	`domain` text NOT NULL,
	`account_id` integer NOT NULL,
	PRIMARY KEY(`domain`, `account_id`),
	FOREIGN KEY (`domain`) REFERENCES `domains`(`url`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `domain_accounts_by_account` ON `domain_accounts` (`account_id`);--> statement-breakpoint
CREATE TABLE `folder_domains` (
	`account_id` integer NOT NULL,
	`folder` text NOT NULL,
	`domain` text NOT NULL,
	PRIMARY KEY(`account_id`, `folder`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`domain`) REFERENCES `domains`(`url`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `domain_checks` (
	`nonce` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `domain` text;--> statement-breakpoint
ALTER TABLE `qrs` ADD `query` text;--> statement-breakpoint
ALTER TABLE `batch_rows` ADD `query` text;--> statement-breakpoint
ALTER TABLE `batch_rows` ADD `domain` text;--> statement-breakpoint
DROP TRIGGER `redirect_edited`;--> statement-breakpoint
CREATE TRIGGER `redirect_edited` AFTER UPDATE OF `id`, `code`, `destination`, `status`, `query` ON `qrs`
WHEN OLD.`id` <> NEW.`id` OR OLD.`code` <> NEW.`code` OR OLD.`destination` <> NEW.`destination` OR OLD.`status` <> NEW.`status` OR OLD.`query` IS NOT NEW.`query` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (OLD.`code`);
END;
--> statement-breakpoint
CREATE TRIGGER `domain_added` AFTER INSERT ON `domains` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (substr(NEW.`url`, instr(NEW.`url`, '//')));
END;
--> statement-breakpoint
CREATE TRIGGER `domain_edited` AFTER UPDATE OF `url`, `front_url`, `not_found_url` ON `domains` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (substr(NEW.`url`, instr(NEW.`url`, '//')));
END;
--> statement-breakpoint
CREATE TRIGGER `domain_removed` AFTER DELETE ON `domains` BEGIN
	INSERT INTO `redirect_steps` (`code`) VALUES (substr(OLD.`url`, instr(OLD.`url`, '//')));
END;
