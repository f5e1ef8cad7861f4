CREATE TABLE "expectations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company" text NOT NULL,
	"partner_name" text,
	"endpoint_id" text,
	"endpoint_key" text,
	"reason" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone,
	"weekly" jsonb,
	"made_by_id" uuid NOT NULL,
	"made_by_name" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by_name" text,
	CONSTRAINT "expectations_end" CHECK ("expectations"."until_at" is null or "expectations"."until_at" >= "expectations"."from_at"),
	CONSTRAINT "expectations_once_ends" CHECK ("expectations"."until_at" is not null or jsonb_typeof("expectations"."weekly") = 'object')
);
--> statement-breakpoint
ALTER TABLE "expectations" ADD CONSTRAINT "expectations_made_by_id_people_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "expectations_company" ON "expectations" USING btree ("company","from_at");