CREATE TABLE `served_prefixes` (
	`prefix` text PRIMARY KEY NOT NULL
);
