CREATE TABLE "channels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"shown" jsonb NOT NULL,
	"sealed" text NOT NULL,
	"created_by_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"said" text,
	"tried_at" timestamp (3) with time zone,
	CONSTRAINT "channels_kind_known" CHECK ("channels"."kind" in ('slack_app', 'slack_webhook', 'teams', 'email', 'webhook'))
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"place" text NOT NULL,
	"key" text NOT NULL,
	"channel_id" uuid,
	"person_id" uuid,
	"to_kind" text NOT NULL,
	"to_name" text NOT NULL,
	"company" text,
	"incident_id" integer,
	"thread" text NOT NULL,
	"type" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"message" jsonb NOT NULL,
	"told_in" text,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"said" text,
	"reference" text,
	"settled_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "deliveries_state_known" CHECK ("deliveries"."state" in ('queued', 'unknown', 'sent', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "rules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"rule" jsonb NOT NULL,
	"channel_ids" uuid[] NOT NULL,
	"person_id" uuid,
	"own" jsonb,
	"since" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_created_by_id_people_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rules" ADD CONSTRAINT "rules_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_id" ON "deliveries" USING btree ("id");--> statement-breakpoint
CREATE INDEX "deliveries_unsettled" ON "deliveries" USING btree ("next_at") WHERE "deliveries"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "deliveries_told" ON "deliveries" USING btree ("company","incident_id");--> statement-breakpoint
CREATE INDEX "deliveries_channel" ON "deliveries" USING btree ("channel_id","state");--> statement-breakpoint
CREATE INDEX "deliveries_thread" ON "deliveries" USING btree ("place","thread","seq");--> statement-breakpoint
CREATE INDEX "deliveries_inbox" ON "deliveries" USING btree ("person_id","seq") WHERE "deliveries"."to_kind" = 'inbox';--> statement-breakpoint
CREATE UNIQUE INDEX "rules_own" ON "rules" USING btree ("person_id");