CREATE TABLE `folder_domains` (
	`account_id` integer NOT NULL,
	`folder` text NOT NULL,
	`domain` text,
	PRIMARY KEY(`account_id`, `folder`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`domain`) REFERENCES `domains`(`url`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `folder_domains_by_domain` ON `folder_domains` (`domain`);