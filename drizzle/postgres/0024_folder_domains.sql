CREATE TABLE "folder_domains" (
	"account_id" bigint NOT NULL,
	"folder" text collate "C" NOT NULL,
	"domain" text collate "C",
	CONSTRAINT "folder_domains_account_id_folder_pk" PRIMARY KEY("account_id","folder")
);
--> statement-breakpoint
ALTER TABLE "folder_domains" ADD CONSTRAINT "folder_domains_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folder_domains" ADD CONSTRAINT "folder_domains_domain_domains_url_fk" FOREIGN KEY ("domain") REFERENCES "public"."domains"("url") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "folder_domains_by_domain" ON "folder_domains" USING btree ("domain");