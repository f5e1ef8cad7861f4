CREATE TABLE "memberships" (
	"company" text NOT NULL,
	"person_id" uuid NOT NULL,
	CONSTRAINT "memberships_company_person_id_pk" PRIMARY KEY("company","person_id")
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text,
	"role" text NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "people_email_unique" UNIQUE("email"),
	CONSTRAINT "people_email_lower_case" CHECK ("people"."email" = lower("people"."email")),
	CONSTRAINT "people_role_known" CHECK ("people"."role" in ('viewer', 'operator', 'administrator'))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"address" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"bucket" text PRIMARY KEY NOT NULL,
	"window_started_at" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "call_samples" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"sampled_at" timestamp (3) with time zone NOT NULL,
	"value" double precision NOT NULL,
	"origin" text NOT NULL,
	CONSTRAINT "call_samples_company_endpoint_id_sampled_at_pk" PRIMARY KEY("company","endpoint_id","sampled_at")
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"slug" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"demo_history_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "company_state" (
	"company" text PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"as_of" timestamp (3) with time zone,
	"last_attempt_at" timestamp (3) with time zone NOT NULL,
	"reason" text,
	"rhythm_seconds" double precision NOT NULL,
	"next_refresh_at" timestamp (3) with time zone NOT NULL,
	"api_clock_offset_ms" double precision NOT NULL,
	"total_pages" integer NOT NULL,
	"rate_limit" jsonb,
	"budget" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "endpoints" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"endpoint_key" text NOT NULL,
	"partner_name" text NOT NULL,
	"status" text NOT NULL,
	"last_updated_at" timestamp (3) with time zone,
	"next_sync_at" timestamp (3) with time zone,
	"last_sync_status" text,
	"last_sync_started_at" timestamp (3) with time zone,
	"last_sync_finished_at" timestamp (3) with time zone,
	"last_sync_duration_seconds" double precision,
	"frequency_minutes" double precision,
	"api_calls_last_24h" double precision NOT NULL,
	"raw" jsonb NOT NULL,
	"attributes_seen_ms" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"verdict" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_reported_at" timestamp (3) with time zone,
	"missed_snapshots" integer DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"typical_duration_seconds" double precision,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"last_finished_status" text,
	"last_finished_at" timestamp (3) with time zone,
	"learned_frequency_minutes" double precision,
	CONSTRAINT "endpoints_company_endpoint_id_pk" PRIMARY KEY("company","endpoint_id")
);
--> statement-breakpoint
CREATE TABLE "gaps" (
	"company" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "gaps_company_from_at_pk" PRIMARY KEY("company","from_at")
);
--> statement-breakpoint
CREATE TABLE "landings" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"landed_at" timestamp (3) with time zone NOT NULL,
	"origin" text NOT NULL,
	CONSTRAINT "landings_company_endpoint_id_landed_at_pk" PRIMARY KEY("company","endpoint_id","landed_at")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"status" text,
	"duration_seconds" double precision,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"origin" text NOT NULL,
	CONSTRAINT "runs_company_endpoint_id_started_at_pk" PRIMARY KEY("company","endpoint_id","started_at")
);
--> statement-breakpoint
CREATE TABLE "verdict_changes" (
	"company" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"verdict" text,
	"previous" text,
	CONSTRAINT "verdict_changes_company_endpoint_id_changed_at_pk" PRIMARY KEY("company","endpoint_id","changed_at")
);
--> statement-breakpoint
CREATE TABLE "upstream_hosts" (
	"origin" text PRIMARY KEY NOT NULL,
	"limited_until_ms" bigint DEFAULT 0 NOT NULL,
	"background_drained_until_ms" bigint DEFAULT 0 NOT NULL,
	"drained_until_ms" bigint DEFAULT 0 NOT NULL,
	"token_limited_until_ms" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upstream_refusals" (
	"origin" text NOT NULL,
	"client_id" text NOT NULL,
	"until_ms" bigint NOT NULL,
	"refusals" integer NOT NULL,
	CONSTRAINT "upstream_refusals_origin_client_id_pk" PRIMARY KEY("origin","client_id")
);
--> statement-breakpoint
CREATE TABLE "upstream_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "upstream_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"origin" text NOT NULL,
	"lane" smallint NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memberships_person" ON "memberships" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "sessions_person_address" ON "sessions" USING btree ("person_id","address");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_window" ON "sign_in_attempts" USING btree ("window_started_at");--> statement-breakpoint
CREATE INDEX "removals" ON "verdict_changes" USING btree ("company","endpoint_id","changed_at") WHERE "verdict_changes"."verdict" is null;--> statement-breakpoint
CREATE INDEX "upstream_requests_origin_at" ON "upstream_requests" USING btree ("origin","at_ms");