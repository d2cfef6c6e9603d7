-- breaking
ALTER TABLE "designs" ADD COLUMN "png_hash" "bytea";--> statement-breakpoint
ALTER TABLE "qrs" DROP COLUMN "png_hash";