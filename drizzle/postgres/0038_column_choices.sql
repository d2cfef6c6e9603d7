CREATE TABLE "batch_files" (
	"batch_id" bigint PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "column_choices" (
	"account_id" bigint NOT NULL,
	"headers" "bytea" NOT NULL,
	"roles" text collate "C" NOT NULL,
	"chosen_at" bigint NOT NULL,
	CONSTRAINT "column_choices_account_id_headers_pk" PRIMARY KEY("account_id","headers")
);
--> statement-breakpoint
ALTER TABLE "batch_files" ADD CONSTRAINT "batch_files_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "column_choices" ADD CONSTRAINT "column_choices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;