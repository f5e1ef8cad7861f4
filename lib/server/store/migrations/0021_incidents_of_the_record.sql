ALTER TABLE "incident_states" ADD COLUMN "first_observed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "incident_states" ADD COLUMN "replay" jsonb;--> statement-breakpoint
ALTER TABLE "incident_states" ADD COLUMN "recorded_since" timestamp (3) with time zone;