ALTER TABLE "bulk_edits" ADD COLUMN "entry_id" bigint;--> statement-breakpoint
ALTER TABLE "bulk_edits" ADD COLUMN "undo_entry_id" bigint;