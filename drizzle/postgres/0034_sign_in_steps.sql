CREATE TABLE "sign_in_steps" (
	"hash" text collate "C" PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"kind" text collate "C" NOT NULL,
	"issuer" text collate "C",
	"subject" text collate "C",
	"is_operator" boolean,
	"session_hash" text collate "C",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sign_in_steps" ADD CONSTRAINT "sign_in_steps_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_steps_by_account" ON "sign_in_steps" USING btree ("account_id");