ALTER TABLE "channels" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "follows_from" timestamp (3) with time zone DEFAULT now() NOT NULL;