CREATE TABLE "given_up_paths" (
	"path" text collate "C" PRIMARY KEY NOT NULL,
	"qr_id" bigint NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "path" text collate "C";--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "path" text collate "C";--> statement-breakpoint
ALTER TABLE "given_up_paths" ADD CONSTRAINT "given_up_paths_qr_id_qrs_id_fk" FOREIGN KEY ("qr_id") REFERENCES "public"."qrs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "qrs_by_path" ON "qrs" USING btree ("path") WHERE "qrs"."path" is not null;