CREATE TABLE `batch_files` (
	`batch_id` integer PRIMARY KEY NOT NULL,
	`content` blob NOT NULL,
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `column_choices` (
	`account_id` integer NOT NULL,
	`headers` blob NOT NULL,
	`roles` text NOT NULL,
	`chosen_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `headers`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
