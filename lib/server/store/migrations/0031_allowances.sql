CREATE TABLE "allowances" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company" text NOT NULL,
	"partner_name" text NOT NULL,
	"calls" integer NOT NULL,
	"per" text NOT NULL,
	"note" text,
	"by_id" uuid NOT NULL,
	"by_name" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "allowances_calls" CHECK ("allowances"."calls" > 0),
	CONSTRAINT "allowances_per" CHECK ("allowances"."per" in ('hour', 'day'))
);
--> statement-breakpoint
ALTER TABLE "allowances" ADD CONSTRAINT "allowances_by_id_people_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "allowances_partner" ON "allowances" USING btree ("company",md5("partner_name"));