CREATE TABLE `looks` (
	`kind` text PRIMARY KEY NOT NULL,
	`generation` text NOT NULL,
	`began_at` integer NOT NULL
);
