ALTER TABLE "sessions" ADD COLUMN "previous_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "previous_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_previous_id" ON "sessions" USING btree ("previous_id");