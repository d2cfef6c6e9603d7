ALTER TABLE "qrs" ADD COLUMN "path_since" bigint;--> statement-breakpoint
ALTER TABLE "flags" ADD COLUMN "account_id" bigint;--> statement-breakpoint
UPDATE "flags" SET "account_id" = (SELECT "account_id" FROM "qrs" WHERE "qrs"."id" = "flags"."qr_id");--> statement-breakpoint
CREATE INDEX "given_up_paths_by_qr" ON "given_up_paths" USING btree ("qr_id","at");--> statement-breakpoint
CREATE INDEX "flags_by_account" ON "flags" USING btree ("account_id","qr_id");