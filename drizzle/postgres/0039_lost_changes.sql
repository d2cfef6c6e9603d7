ALTER TABLE "redirect_version" ADD COLUMN "lost_since" bigint;--> statement-breakpoint
ALTER TABLE "redirect_version" ADD COLUMN "lost_until" bigint;