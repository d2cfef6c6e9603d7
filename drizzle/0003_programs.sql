CREATE TABLE `programs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` text NOT NULL,
	`renderer` text NOT NULL,
	`since` integer NOT NULL
);
