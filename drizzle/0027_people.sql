CREATE TABLE `members` (
	`account_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`role` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`account_id`, `member_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`member_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "members_role" CHECK("members"."role" in ('viewer', 'editor'))
);
--> statement-breakpoint
CREATE INDEX `members_by_member` ON `members` (`member_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "invitations_role" CHECK("invitations"."role" in ('viewer', 'editor'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_email` ON `invitations` (`account_id`,`email`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `entered_account_id` integer;