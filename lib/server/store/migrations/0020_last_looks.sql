CREATE TABLE "last_looks" (
	"person_id" uuid NOT NULL,
	"company" text NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "last_looks_person_id_company_pk" PRIMARY KEY("person_id","company")
);
--> statement-breakpoint
ALTER TABLE "last_looks" ADD CONSTRAINT "last_looks_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incident_endings" ON "incident_events" USING btree ("company","at") WHERE "incident_events"."kind" in ('ended', 'seen_again');--> statement-breakpoint
CREATE INDEX "incidents_opened" ON "incidents" USING btree ("company","opened_at");