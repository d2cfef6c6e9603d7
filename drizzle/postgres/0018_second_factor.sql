ALTER TABLE "accounts" ADD COLUMN "totp_secret" text collate "C";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "totp_step" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "recovery_codes" text collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text collate "C" DEFAULT '' NOT NULL;