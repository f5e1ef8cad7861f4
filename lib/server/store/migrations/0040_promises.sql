CREATE TABLE "deadline_days" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"deadline_id" uuid NOT NULL,
	"date" text NOT NULL,
	"partner_name" text NOT NULL,
	"endpoint_key" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"limit_at" timestamp (3) with time zone NOT NULL,
	"outcome" text NOT NULL,
	"received_at" timestamp (3) with time zone,
	"is_at_most" boolean DEFAULT false NOT NULL,
	"excuse" text,
	"rule" jsonb NOT NULL,
	"closed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deadline_days_company_endpoint_id_deadline_id_date_pk" PRIMARY KEY("company","endpoint_id","deadline_id","date"),
	CONSTRAINT "deadline_days_outcome" CHECK ("deadline_days"."outcome" in ('met', 'missed', 'not_observed', 'excused'))
);
--> statement-breakpoint
CREATE TABLE "deadline_folds" (
	"company" text PRIMARY KEY NOT NULL,
	"closed_until" timestamp (3) with time zone NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deadlines" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company" text NOT NULL,
	"partner_name" text,
	"endpoint_id" text,
	"endpoint_key" text,
	"rule" jsonb NOT NULL,
	"target_percent" double precision,
	"note" text,
	"made_by_id" uuid NOT NULL,
	"made_by_name" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "endpoint_facts" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"partner_name" text NOT NULL,
	"status" text,
	"reported" boolean NOT NULL,
	"cadence_minutes" double precision,
	CONSTRAINT "endpoint_facts_company_endpoint_id_seen_at_pk" PRIMARY KEY("company","endpoint_id","seen_at")
);
--> statement-breakpoint
ALTER TABLE "endpoints" ADD COLUMN "promise" jsonb;--> statement-breakpoint
ALTER TABLE "landings" ADD COLUMN "seen_after" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deadline_days" ADD CONSTRAINT "deadline_days_deadline_id_deadlines_id_fk" FOREIGN KEY ("deadline_id") REFERENCES "public"."deadlines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deadlines" ADD CONSTRAINT "deadlines_made_by_id_people_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deadline_days_date" ON "deadline_days" USING btree ("company","date");--> statement-breakpoint
CREATE INDEX "deadline_days_due" ON "deadline_days" USING btree ("company","endpoint_id","due_at");--> statement-breakpoint
CREATE INDEX "deadline_days_without_data" ON "deadline_days" USING btree ("company","endpoint_id") WHERE "deadline_days"."outcome" = 'missed' and "deadline_days"."received_at" is null;--> statement-breakpoint
CREATE INDEX "deadlines_company" ON "deadlines" USING btree ("company","made_at") WHERE "deadlines"."ended_at" is null;--> statement-breakpoint
INSERT INTO "endpoint_facts" ("company", "endpoint_id", "seen_at", "partner_name", "status", "reported", "cadence_minutes")
SELECT "company", "endpoint_id", now(), "partner_name",
  CASE WHEN "removed_at" IS NULL THEN "raw" -> 'attributes' ->> 'status' END,
  "missed_snapshots" = 0,
  CASE WHEN "frequency_minutes" > 0 THEN "frequency_minutes" ELSE "learned_frequency_minutes" END
FROM "endpoints";
