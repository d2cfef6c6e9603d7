CREATE UNLOGGED TABLE "rate_windows" (
	"key" text collate "C" PRIMARY KEY NOT NULL,
	"times" timestamp with time zone[] NOT NULL,
	"rest" integer NOT NULL,
	"is_admitted" boolean NOT NULL,
	"decided_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "throttles" (
	"name" text collate "C" PRIMARY KEY NOT NULL,
	"full_at" timestamp with time zone NOT NULL,
	"written_at" timestamp with time zone NOT NULL
);
