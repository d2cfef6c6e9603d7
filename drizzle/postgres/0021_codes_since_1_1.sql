-- Apart, because redirects read the codes, and wait until the columns are filled in.
ALTER TABLE "qrs" ADD COLUMN "path" text collate "C";
--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "query" text collate "C";
--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "folded_path" text collate "C";
--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "folded_code" text collate "C";
--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "path_since" bigint;
--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "paused_message" text collate "C";
--> statement-breakpoint
CREATE UNIQUE INDEX "qrs_by_path" ON "qrs" USING btree ("path") WHERE "qrs"."path" is not null;
--> statement-breakpoint
CREATE INDEX "qrs_by_folded_path" ON "qrs" USING btree ("folded_path") WHERE "qrs"."folded_path" is not null;
--> statement-breakpoint
CREATE INDEX "qrs_by_folded_code" ON "qrs" USING btree ("folded_code") WHERE "qrs"."folded_code" is not null;
