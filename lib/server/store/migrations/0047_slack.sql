CREATE TABLE "slack_accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"team_name" text NOT NULL,
	"user_name" text NOT NULL,
	"person_id" uuid NOT NULL,
	"linked_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "slack_invitations" (
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"team_name" text NOT NULL,
	"user_name" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "slack_invitations_team_id_user_id_pk" PRIMARY KEY("team_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "socket" jsonb;--> statement-breakpoint
ALTER TABLE "slack_accounts" ADD CONSTRAINT "slack_accounts_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "slack_accounts_user" ON "slack_accounts" USING btree ("team_id","user_id");--> statement-breakpoint
CREATE INDEX "slack_accounts_person" ON "slack_accounts" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "slack_invitations_hash" ON "slack_invitations" USING btree ("token_hash");