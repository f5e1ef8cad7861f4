CREATE TABLE "share_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company" text NOT NULL,
	"token_hash" text NOT NULL,
	"preview_id" text NOT NULL,
	"partner_name" text NOT NULL,
	"shows" text NOT NULL,
	"stored" jsonb NOT NULL,
	"for_whom" text,
	"has_details_in_preview" boolean NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"revoked_by_name" text,
	"opened_count" integer DEFAULT 0 NOT NULL,
	"last_opened_at" timestamp (3) with time zone,
	CONSTRAINT "share_links_shows_known" CHECK ("share_links"."shows" in ('then', 'now', 'both'))
);
--> statement-breakpoint
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_made_by_people_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "share_links_token" ON "share_links" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "share_links_preview" ON "share_links" USING btree ("preview_id");--> statement-breakpoint
CREATE INDEX "share_links_company" ON "share_links" USING btree ("company","created_at");--> statement-breakpoint
CREATE INDEX "share_links_maker" ON "share_links" USING btree ("made_by");