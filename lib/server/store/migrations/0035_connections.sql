CREATE TABLE "connection_checks" (
	"person_id" uuid NOT NULL,
	"check_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connection_checks_person_id_check_id_pk" PRIMARY KEY("person_id","check_id")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"company" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"base_url" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed" text,
	"time_zone" text,
	"external_id" text,
	"created_by_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "connections_secret_until_removed" CHECK (("connections"."sealed" is null) = ("connections"."removed_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "connection_checks" ADD CONSTRAINT "connection_checks_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_created_by_id_people_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connection_checks_at" ON "connection_checks" USING btree ("at");