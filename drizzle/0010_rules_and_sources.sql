CREATE TABLE `list_sources` (
	`name` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`added_at` integer NOT NULL,
	`allow_loopback_http` integer NOT NULL,
	`format` text,
	`csv_column` text,
	`checked_at` integer,
	`outcome` text,
	`reason` text
);
--> statement-breakpoint
CREATE TABLE `rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`expression` text NOT NULL,
	`decision` text NOT NULL,
	`added_at` integer NOT NULL,
	`note` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rules_expression_unique` ON `rules` (`expression`);