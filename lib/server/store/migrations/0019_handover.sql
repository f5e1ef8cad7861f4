ALTER TABLE "incidents" ADD COLUMN "lent_by_id" uuid;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "lent_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_lent_by_id_people_id_fk" FOREIGN KEY ("lent_by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;