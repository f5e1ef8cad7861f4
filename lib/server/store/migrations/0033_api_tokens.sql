CREATE TABLE "api_token_networks" (
	"token_id" uuid NOT NULL,
	"network" text NOT NULL,
	"first_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_token_networks_token_id_network_pk" PRIMARY KEY("token_id","network")
);
--> statement-breakpoint
CREATE TABLE "api_token_turns" (
	"token_id" uuid PRIMARY KEY NOT NULL,
	"window_started_at" timestamp (3) with time zone NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"in_work" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"hint" text NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"companies" text[],
	"person_id" uuid,
	"made_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_network" text,
	"uses" bigint DEFAULT 0 NOT NULL,
	"rest_announced_for" timestamp (3) with time zone,
	CONSTRAINT "api_tokens_scope_known" CHECK ("api_tokens"."scope" in ('read', 'act')),
	CONSTRAINT "api_tokens_service_reads_named" CHECK ("api_tokens"."person_id" is not null or ("api_tokens"."scope" = 'read' and "api_tokens"."companies" is not null))
);
--> statement-breakpoint
ALTER TABLE "api_token_networks" ADD CONSTRAINT "api_token_networks_token_id_api_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token_turns" ADD CONSTRAINT "api_token_turns_token_id_api_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_made_by_people_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_hash" ON "api_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "api_tokens_person" ON "api_tokens" USING btree ("person_id");