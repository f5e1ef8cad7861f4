CREATE TABLE "learned_week_feeds" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"is_off" boolean DEFAULT false NOT NULL,
	"broken_from" timestamp (3) with time zone,
	"broken_until" timestamp (3) with time zone,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "learned_week_feeds_company_endpoint_id_pk" PRIMARY KEY("company","endpoint_id")
);
--> statement-breakpoint
CREATE TABLE "learned_week_progress" (
	"company" text PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"looked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "learned_weeks" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone,
	"time_zone" text NOT NULL,
	"spans" jsonb NOT NULL,
	"cadence_ms" double precision NOT NULL,
	"since_at" timestamp (3) with time zone NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "learned_weeks_company_endpoint_id_from_at_pk" PRIMARY KEY("company","endpoint_id","from_at")
);
--> statement-breakpoint
ALTER TABLE "endpoints" ADD COLUMN "learned_week" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "learned_weeks_in_force" ON "learned_weeks" USING btree ("company","endpoint_id") WHERE "learned_weeks"."until_at" is null;--> statement-breakpoint
CREATE INDEX "learned_weeks_version" ON "learned_weeks" USING btree ("company","version");--> statement-breakpoint
CREATE TABLE "rolled_up_calls" (
	"company" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"endpoint_ids" text[] NOT NULL,
	"readings" double precision[] NOT NULL,
	CONSTRAINT "rolled_up_calls_company_from_at_pk" PRIMARY KEY("company","from_at")
);