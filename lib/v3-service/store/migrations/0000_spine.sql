CREATE SCHEMA "v3";
--> statement-breakpoint
CREATE TABLE "v3"."api_calls" (
	"company_id" bigint NOT NULL,
	"sync_config_id" text collate "C" NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "api_calls_company_id_sync_config_id_at_pk" PRIMARY KEY("company_id","sync_config_id","at")
);
--> statement-breakpoint
CREATE TABLE "v3"."clients" (
	"company_id" bigint NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"grant_types" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "clients_company_id_client_id_pk" PRIMARY KEY("company_id","client_id"),
	CONSTRAINT "clients_client_id" UNIQUE("client_id")
);
--> statement-breakpoint
CREATE TABLE "v3"."companies" (
	"id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "v3"."derived_data" (
	"company_id" bigint NOT NULL,
	"file_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"content" jsonb NOT NULL,
	CONSTRAINT "derived_data_company_id_file_id_kind_pk" PRIMARY KEY("company_id","file_id","kind")
);
--> statement-breakpoint
CREATE TABLE "v3"."pipeline_landings" (
	"company_id" bigint NOT NULL,
	"sync_config_id" text collate "C" NOT NULL,
	"landed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pipeline_landings_company_id_sync_config_id_landed_at_pk" PRIMARY KEY("company_id","sync_config_id","landed_at")
);
--> statement-breakpoint
CREATE TABLE "v3"."runs" (
	"company_id" bigint NOT NULL,
	"sync_config_id" text collate "C" NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "v3"."runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"finished_at" timestamp (3) with time zone,
	"status" text NOT NULL,
	CONSTRAINT "runs_company_id_sync_config_id_started_at_id_pk" PRIMARY KEY("company_id","sync_config_id","started_at","id")
);
--> statement-breakpoint
CREATE TABLE "v3"."schedule_files" (
	"company_id" bigint NOT NULL,
	"id" bigint NOT NULL,
	"name" text NOT NULL,
	"is_baseline" boolean NOT NULL,
	"customer_project" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"file_type" text NOT NULL,
	"partner_token_id" bigint,
	CONSTRAINT "schedule_files_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "schedule_files_id" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "v3"."signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "v3"."simulation" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"seed" bigint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"advanced_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "v3"."sync_configs" (
	"company_id" bigint NOT NULL,
	"id" text collate "C" NOT NULL,
	"partner_name" text collate "C" NOT NULL,
	"endpoint_key" text collate "C" NOT NULL,
	"status" text NOT NULL,
	"frequency_minutes" integer,
	"next_sync_at" timestamp (3) with time zone,
	"recorded_sync_at" timestamp (3) with time zone,
	"last_landed_at" timestamp (3) with time zone,
	"last_run_started_at" timestamp (3) with time zone,
	"last_run_finished_at" timestamp (3) with time zone,
	"last_run_status" text,
	CONSTRAINT "sync_configs_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "v3"."api_calls" ADD CONSTRAINT "api_calls_sync_config" FOREIGN KEY ("company_id","sync_config_id") REFERENCES "v3"."sync_configs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "v3"."clients" ADD CONSTRAINT "clients_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "v3"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "v3"."pipeline_landings" ADD CONSTRAINT "pipeline_landings_sync_config" FOREIGN KEY ("company_id","sync_config_id") REFERENCES "v3"."sync_configs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "v3"."runs" ADD CONSTRAINT "runs_sync_config" FOREIGN KEY ("company_id","sync_config_id") REFERENCES "v3"."sync_configs"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "v3"."schedule_files" ADD CONSTRAINT "schedule_files_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "v3"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "v3"."sync_configs" ADD CONSTRAINT "sync_configs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "v3"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_files_listing" ON "v3"."schedule_files" USING btree ("company_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sync_configs_listing" ON "v3"."sync_configs" USING btree ("company_id","partner_name","endpoint_key","id");