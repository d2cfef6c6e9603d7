ALTER TABLE "qrs" DROP CONSTRAINT "qrs_status";--> statement-breakpoint
ALTER TABLE "qrs" ADD CONSTRAINT "qrs_status" CHECK ("qrs"."status" in ('active', 'paused', 'blocked', 'stopped'));