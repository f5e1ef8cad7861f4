CREATE TABLE "calendars" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company" text NOT NULL,
	"token_hash" text NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_made_by_people_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "calendars_token" ON "calendars" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "calendars_company" ON "calendars" USING btree ("company","created_at");--> statement-breakpoint
CREATE INDEX "calendars_maker" ON "calendars" USING btree ("made_by");