CREATE TABLE `sign_in_steps` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`issuer` text,
	`subject` text,
	`is_operator` integer,
	`session_hash` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_in_steps_by_account` ON `sign_in_steps` (`account_id`);