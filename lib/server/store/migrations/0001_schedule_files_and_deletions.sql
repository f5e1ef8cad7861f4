CREATE TABLE "audit_heads" (
	"company" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"company" text NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"action_id" text NOT NULL,
	"event" text NOT NULL,
	"person_id" uuid,
	"person_name" text,
	"person_email" text,
	"request_id" text,
	"detail" jsonb NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_log_company_seq_pk" PRIMARY KEY("company","seq")
);
--> statement-breakpoint
CREATE TABLE "deletion_items" (
	"company" text NOT NULL,
	"deletion_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"file_id" bigint NOT NULL,
	"confirmed" jsonb NOT NULL,
	"read_file" jsonb,
	"sent_at" timestamp (3) with time zone,
	"outcome" text,
	"outcome_at" timestamp (3) with time zone,
	"looks" integer DEFAULT 0 NOT NULL,
	"next_look_at" timestamp (3) with time zone,
	CONSTRAINT "deletion_items_company_deletion_id_position_pk" PRIMARY KEY("company","deletion_id","position")
);
--> statement-breakpoint
CREATE TABLE "deletions" (
	"company" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"person_id" uuid NOT NULL,
	"person_name" text NOT NULL,
	"person_email" text NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"body_hash" text NOT NULL,
	"request_id" text NOT NULL,
	"state" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"undo_until" timestamp (3) with time zone NOT NULL,
	"stop_requested_at" timestamp (3) with time zone,
	"waiting_until" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "deletions_company_id_pk" PRIMARY KEY("company","id"),
	CONSTRAINT "deletions_key" UNIQUE("company","person_id","idempotency_key"),
	CONSTRAINT "deletions_state_known" CHECK ("deletions"."state" in ('waiting', 'running', 'done', 'undone', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "file_indexes" (
	"company" text PRIMARY KEY NOT NULL,
	"walk" bigint NOT NULL,
	"next_page" integer,
	"walk_started_at" timestamp (3) with time zone,
	"walked_at" timestamp (3) with time zone,
	"total" bigint,
	"complete" boolean NOT NULL,
	"as_of" timestamp (3) with time zone,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "schedule_files" (
	"company" text NOT NULL,
	"id" bigint NOT NULL,
	"name" text NOT NULL,
	"is_baseline" boolean NOT NULL,
	"file_type" text NOT NULL,
	"project_id" bigint,
	"project_name" text,
	"partner_token_id" bigint,
	"uploaded_at" timestamp (3) with time zone NOT NULL,
	"given" jsonb NOT NULL,
	"search_text" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"seen_in_walk" bigint NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "schedule_files_company_id_pk" PRIMARY KEY("company","id")
);
--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("company","action_id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("company","at");--> statement-breakpoint
CREATE INDEX "deletion_items_unsettled" ON "deletion_items" USING btree ("next_look_at") WHERE "deletion_items"."outcome" = 'unknown';--> statement-breakpoint
CREATE INDEX "deletions_open" ON "deletions" USING btree ("undo_until") WHERE "deletions"."state" in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "schedule_files_newest" ON "schedule_files" USING btree ("company","uploaded_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "schedule_files"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_files_project" ON "schedule_files" USING btree ("company","project_id");