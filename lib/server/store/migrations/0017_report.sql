CREATE TABLE "report_days" (
	"company" text NOT NULL,
	"day" date NOT NULL,
	"time_zone" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"rolled_up_at" timestamp (3) with time zone NOT NULL,
	"incidents" jsonb,
	CONSTRAINT "report_days_company_day_pk" PRIMARY KEY("company","day")
);
--> statement-breakpoint
CREATE TABLE "report_endpoint_days" (
	"company" text NOT NULL,
	"day" date NOT NULL,
	"endpoint_id" text NOT NULL,
	"endpoint_key" text NOT NULL,
	"partner_name" text NOT NULL,
	"on_time_ms" integer NOT NULL,
	"overdue_ms" integer NOT NULL,
	"planned_quiet_ms" integer NOT NULL,
	"not_observed_ms" integer NOT NULL,
	"webhook_ms" integer NOT NULL,
	"paused_ms" integer NOT NULL,
	"worst" text,
	"overdue_lead_ms" integer NOT NULL,
	"overdue_longest_ms" integer NOT NULL,
	"overdue_tail_ms" integer NOT NULL,
	"completed" integer NOT NULL,
	"failed" integer NOT NULL,
	"timed_out" integer NOT NULL,
	"rate_limited" integer NOT NULL,
	CONSTRAINT "report_endpoint_days_company_day_endpoint_id_pk" PRIMARY KEY("company","day","endpoint_id")
);
