CREATE TABLE "identities" (
	"issuer" text collate "C" NOT NULL,
	"subject" text collate "C" NOT NULL,
	"account_id" bigint NOT NULL,
	"bound_at" bigint NOT NULL,
	"last_used_at" bigint,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject"),
	CONSTRAINT "identities_account_id_unique" UNIQUE("account_id")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "is_provided" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;