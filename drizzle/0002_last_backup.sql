CREATE TABLE `last_backup` (
	`id` integer PRIMARY KEY NOT NULL,
	`finished_at` integer NOT NULL
);
