ALTER TABLE `designs` ADD `png_hash` blob;--> statement-breakpoint
ALTER TABLE `qrs` DROP COLUMN `png_hash`;