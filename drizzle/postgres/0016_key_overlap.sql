ALTER TABLE "api_keys" ADD COLUMN "former_hash" text collate "C";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "former_last_four" text collate "C";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "former_until" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_former_hash_unique" UNIQUE("former_hash");