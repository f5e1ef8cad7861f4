CREATE TABLE "fleet_incidents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"partner" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "fleet_members" (
	"company" text NOT NULL,
	"incident_id" integer NOT NULL,
	"fleet_id" uuid NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	"left_at" timestamp (3) with time zone,
	CONSTRAINT "fleet_members_company_incident_id_pk" PRIMARY KEY("company","incident_id")
);
--> statement-breakpoint
CREATE TABLE "fleet_progress" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "one_fleet_progress" CHECK ("fleet_progress"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "fleet_members" ADD CONSTRAINT "fleet_members_fleet_id_fleet_incidents_id_fk" FOREIGN KEY ("fleet_id") REFERENCES "public"."fleet_incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "open_fleet_incidents" ON "fleet_incidents" USING btree ("partner") WHERE "fleet_incidents"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "members_of_fleet_incident" ON "fleet_members" USING btree ("fleet_id","company");