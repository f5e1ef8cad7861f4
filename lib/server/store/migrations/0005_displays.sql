CREATE TABLE "displays" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"settings" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by_id" uuid NOT NULL,
	"created_by_name" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"secret_hash" text NOT NULL,
	"previous_hash" text,
	"previous_until" timestamp (3) with time zone,
	"rotated_at" timestamp (3) with time zone NOT NULL,
	"is_secret_used" boolean NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"last_paint_at" timestamp (3) with time zone,
	"snapshot_age_seconds" integer,
	"build" text,
	"user_agent" text,
	"reload_requested_at" timestamp (3) with time zone,
	CONSTRAINT "displays_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "displays_previous_hash_unique" UNIQUE("previous_hash")
);
--> statement-breakpoint
CREATE TABLE "pairings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code_hash" text NOT NULL,
	"secret_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"wrong_tries" integer DEFAULT 0 NOT NULL,
	"display_id" uuid,
	CONSTRAINT "pairings_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "pairings_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE INDEX "displays_created" ON "displays" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "pairings_expires" ON "pairings" USING btree ("expires_at");