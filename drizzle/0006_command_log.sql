CREATE TABLE `command_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`command` text NOT NULL,
	`details` text NOT NULL,
	`at` integer NOT NULL
);
