CREATE TABLE "incident_care" (
	"company" text PRIMARY KEY NOT NULL,
	"owner_id" uuid,
	"stand_in_id" uuid,
	"stand_in_from" timestamp (3) with time zone,
	"stand_in_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "incident_events" (
	"company" text NOT NULL,
	"incident_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"endpoint_id" text,
	"by_id" uuid,
	"by_name" text,
	"text" text,
	"detail" jsonb NOT NULL,
	CONSTRAINT "incident_events_company_incident_id_seq_pk" PRIMARY KEY("company","incident_id","seq")
);
--> statement-breakpoint
CREATE TABLE "incident_states" (
	"company" text PRIMARY KEY NOT NULL,
	"observed_at" timestamp (3) with time zone NOT NULL,
	"last_id" integer NOT NULL,
	"suspects" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"company" text NOT NULL,
	"id" integer NOT NULL,
	"partner_name" text NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ending" text,
	"verdict" text,
	"worst_verdict" text NOT NULL,
	"flaps" integer NOT NULL,
	"calm_ms" bigint,
	"members" jsonb NOT NULL,
	"owner_id" uuid,
	"owner_since" timestamp (3) with time zone,
	"acknowledged_by_id" uuid,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_until" timestamp (3) with time zone,
	CONSTRAINT "incidents_company_id_pk" PRIMARY KEY("company","id")
);
--> statement-breakpoint
ALTER TABLE "endpoints" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "incident_care" ADD CONSTRAINT "incident_care_owner_id_people_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_care" ADD CONSTRAINT "incident_care_stand_in_id_people_id_fk" FOREIGN KEY ("stand_in_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_events" ADD CONSTRAINT "incident_events_by_id_people_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_owner_id_people_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_acknowledged_by_id_people_id_fk" FOREIGN KEY ("acknowledged_by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "open_incidents" ON "incidents" USING btree ("company") WHERE "incidents"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "ended_incidents" ON "incidents" USING btree ("company","ended_at") WHERE "incidents"."ended_at" is not null;