CREATE TABLE "hit_progress" (
	"log" bigint PRIMARY KEY NOT NULL,
	"folded" bigint NOT NULL
);
