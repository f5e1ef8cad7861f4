ALTER TABLE "incident_care" ADD COLUMN "owner_since" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "incident_care" SET "owner_since" = now() WHERE "owner_id" IS NOT NULL;
