CREATE TABLE "served_prefixes" (
	"prefix" text collate "C" PRIMARY KEY NOT NULL
);
