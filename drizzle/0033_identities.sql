CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`account_id` integer NOT NULL,
	`bound_at` integer NOT NULL,
	`last_used_at` integer,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_account_id_unique` ON `identities` (`account_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `is_provided` integer DEFAULT false NOT NULL;