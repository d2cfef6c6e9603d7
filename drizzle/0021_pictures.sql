CREATE TABLE `pictures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`digest` text NOT NULL,
	`content` blob NOT NULL,
	`kept_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pictures_by_digest` ON `pictures` (`account_id`,`digest`);--> statement-breakpoint
CREATE INDEX `pictures_by_time` ON `pictures` (`kept_at`);