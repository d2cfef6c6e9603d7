ALTER TABLE "accounts" ADD COLUMN "business_name" text collate "C";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "paused_message" text collate "C";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "paused_link" text collate "C";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "paused_link_flagged" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "paused_message" text collate "C";