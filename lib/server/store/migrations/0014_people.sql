CREATE TABLE "grants" (
	"person_id" uuid NOT NULL,
	"company" text,
	"role" text NOT NULL,
	"given_by" uuid,
	"given_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "grants_person_company" UNIQUE NULLS NOT DISTINCT("person_id","company"),
	CONSTRAINT "grants_role_known" CHECK ("grants"."role" in ('viewer', 'member', 'operator', 'administrator')),
	CONSTRAINT "grants_administrator_everywhere" CHECK ("grants"."role" <> 'administrator' or "grants"."company" is null)
);
--> statement-breakpoint
CREATE TABLE "password_links" (
	"id" text PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"made_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "used_logout_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "people" DROP CONSTRAINT "people_email_unique";--> statement-breakpoint
ALTER TABLE "people" ALTER COLUMN "role" SET DEFAULT 'viewer';--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "issuer" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "claims" jsonb;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "public_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "browser" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_session" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "id_token" text;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_given_by_people_id_fk" FOREIGN KEY ("given_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_made_by_people_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "password_links_person" ON "password_links" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_local_email" ON "people" USING btree ("email") WHERE "people"."issuer" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "people_subject" ON "people" USING btree ("issuer","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_public_id" ON "sessions" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "sessions_provider_session" ON "sessions" USING btree ("provider_session");--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_issuer_with_subject" CHECK (("people"."issuer" is null) = ("people"."subject" is null));--> statement-breakpoint
INSERT INTO "grants" ("person_id", "company", "role")
SELECT "id", NULL, 'administrator' FROM "people" WHERE "role" = 'administrator'
UNION ALL
SELECT "people"."id", "memberships"."company", "people"."role" FROM "memberships"
JOIN "people" ON "people"."id" = "memberships"."person_id" WHERE "people"."role" <> 'administrator';
