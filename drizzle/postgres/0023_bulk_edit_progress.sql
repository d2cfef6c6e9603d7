ALTER TABLE "bulk_edits" ADD COLUMN "state" text collate "C" DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_edits" ADD COLUMN "actor" text collate "C";--> statement-breakpoint
ALTER TABLE "bulk_edits" ADD COLUMN "problem" text collate "C";--> statement-breakpoint
ALTER TABLE "bulk_edit_changes" ADD COLUMN "outcome" text collate "C" DEFAULT 'made' NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_edit_changes" ADD COLUMN "problem" text collate "C";--> statement-breakpoint
CREATE INDEX "bulk_edits_running" ON "bulk_edits" USING btree ("id") WHERE "bulk_edits"."state" in ('running', 'undoing');