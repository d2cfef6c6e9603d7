CREATE TABLE "last_backup" (
	"id" bigint PRIMARY KEY NOT NULL,
	"finished_at" bigint NOT NULL
);
