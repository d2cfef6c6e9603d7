-- breaking
CREATE TABLE "redirect_steps" (
	"version" bigint PRIMARY KEY NOT NULL,
	"codes" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "redirect_version" (
	"version" bigint NOT NULL
);
--> statement-breakpoint
INSERT INTO "redirect_version" VALUES (0);
--> statement-breakpoint
INSERT INTO "redirect_steps" VALUES (0, '[]');
--> statement-breakpoint
DROP TABLE "memberships" CASCADE;
