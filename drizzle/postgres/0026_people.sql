CREATE TABLE "members" (
	"account_id" bigint NOT NULL,
	"member_id" bigint NOT NULL,
	"role" text collate "C" NOT NULL,
	"since" bigint NOT NULL,
	CONSTRAINT "members_account_id_member_id_pk" PRIMARY KEY("account_id","member_id"),
	CONSTRAINT "members_role" CHECK ("members"."role" in ('viewer', 'editor'))
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"hash" text collate "C" PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"email" text collate "C" NOT NULL,
	"role" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('viewer', 'editor'))
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "entered_account_id" bigint;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_member_id_accounts_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "members_by_member" ON "members" USING btree ("member_id","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_by_email" ON "invitations" USING btree ("account_id","email");