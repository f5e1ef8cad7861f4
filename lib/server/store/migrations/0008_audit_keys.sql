-- Rows from before there were keys say so. Whoever writes one from now on has to name its key: an earlier version that
-- still runs beside this one can add none.
ALTER TABLE "audit_log" ADD COLUMN "key_id" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ALTER COLUMN "key_id" DROP DEFAULT;
