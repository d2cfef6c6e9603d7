ALTER TABLE "qrs" ADD COLUMN "folded_path" text collate "C";--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "folded_code" text collate "C";--> statement-breakpoint
CREATE INDEX "qrs_by_folded_path" ON "qrs" USING btree ("folded_path") WHERE "qrs"."folded_path" is not null;--> statement-breakpoint
CREATE INDEX "qrs_by_folded_code" ON "qrs" USING btree ("folded_code") WHERE "qrs"."folded_code" is not null;