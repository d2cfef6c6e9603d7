ALTER TABLE "batch_rows" ADD COLUMN "folder" text collate "C";--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "folder" text collate "C";