DROP INDEX `scan_counters_by_rank`;--> statement-breakpoint
DROP INDEX `scan_counters_by_hour`;