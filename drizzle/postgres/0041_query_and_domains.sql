CREATE TABLE "domains" (
	"url" text collate "C" PRIMARY KEY NOT NULL,
	"for_all" boolean DEFAULT true NOT NULL,
	"front_url" text collate "C",
	"not_found_url" text collate "C",
	"added_at" bigint NOT NULL,
	"checked_at" bigint,
	"problem" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "domain_accounts" (
	"domain" text collate "C" NOT NULL,
	"account_id" bigint NOT NULL,
	CONSTRAINT "domain_accounts_domain_account_id_pk" PRIMARY KEY("domain","account_id")
);
--> statement-breakpoint
CREATE TABLE "folder_domains" (
	"account_id" bigint NOT NULL,
	"folder" text collate "C" NOT NULL,
	"domain" text collate "C" NOT NULL,
	CONSTRAINT "folder_domains_account_id_folder_pk" PRIMARY KEY("account_id","folder")
);
--> statement-breakpoint
CREATE TABLE "domain_checks" (
	"nonce" text collate "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "domain" text collate "C";--> statement-breakpoint
ALTER TABLE "qrs" ADD COLUMN "query" text collate "C";--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "query" text collate "C";--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "domain" text collate "C";--> statement-breakpoint
ALTER TABLE "domain_accounts" ADD CONSTRAINT "domain_accounts_domain_domains_url_fk" FOREIGN KEY ("domain") REFERENCES "public"."domains"("url") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_accounts" ADD CONSTRAINT "domain_accounts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folder_domains" ADD CONSTRAINT "folder_domains_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folder_domains" ADD CONSTRAINT "folder_domains_domain_domains_url_fk" FOREIGN KEY ("domain") REFERENCES "public"."domains"("url") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "domain_accounts_by_account" ON "domain_accounts" USING btree ("account_id");