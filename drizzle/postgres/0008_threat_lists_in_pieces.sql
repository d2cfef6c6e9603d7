ALTER TABLE "threat_list_entries" DROP CONSTRAINT "threat_list_entries_list_id_threat_lists_id_fk";
--> statement-breakpoint
ALTER TABLE "threat_lists" ALTER COLUMN "source" DROP NOT NULL;