CREATE TABLE `paused_when_blocked` (
	`qr_id` integer PRIMARY KEY NOT NULL,
	FOREIGN KEY (`qr_id`) REFERENCES `qrs`(`id`) ON UPDATE no action ON DELETE no action
);
