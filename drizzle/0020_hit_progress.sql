-- A refused upgrade may have made it, see `returnHits`.
CREATE TABLE IF NOT EXISTS `hit_progress` (
	`log` integer PRIMARY KEY NOT NULL,
	`folded` integer NOT NULL
);
