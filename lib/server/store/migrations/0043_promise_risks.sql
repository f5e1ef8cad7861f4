CREATE TABLE "deadline_risks" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"deadline_id" uuid NOT NULL,
	"date" text NOT NULL,
	"partner_name" text NOT NULL,
	"endpoint_key" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"limit_at" timestamp (3) with time zone NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone,
	"attempt_at" timestamp (3) with time zone,
	"usually_seconds" double precision
);
--> statement-breakpoint
ALTER TABLE "deadline_risks" ADD CONSTRAINT "deadline_risks_deadline_id_deadlines_id_fk" FOREIGN KEY ("deadline_id") REFERENCES "public"."deadlines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deadline_risks_due" ON "deadline_risks" USING btree ("company","due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "deadline_risks_current" ON "deadline_risks" USING btree ("company","endpoint_id") WHERE "deadline_risks"."until_at" is null;--> statement-breakpoint
CREATE INDEX "deadline_days_missed" ON "deadline_days" USING btree ("company","closed_at") WHERE "deadline_days"."outcome" = 'missed';--> statement-breakpoint
CREATE INDEX "deliveries_of_promises" ON "deliveries" USING btree ("company","created_at") WHERE "deliveries"."type" in ('promise.at_risk', 'promise.missed', 'promise.met', 'promise.ended');--> statement-breakpoint
UPDATE "rules" SET "rule" = "rule" || '{"promises": "none"}'::jsonb;
