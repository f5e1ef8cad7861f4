ALTER TABLE "endpoints" ADD COLUMN "last_finished_started_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "verdict_changes" ADD COLUMN "is_rescheduled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "endpoints" SET ("last_finished_status", "last_finished_at", "last_finished_started_at") = (
	SELECT "status", "finished_at", "started_at" FROM "runs"
	WHERE "runs"."company" = "endpoints"."company" AND "runs"."endpoint_id" = "endpoints"."endpoint_id"
		AND "status" IN ('completed', 'failed', 'timed_out')
	ORDER BY "started_at" DESC LIMIT 1
) WHERE "last_finished_status" IS NOT NULL;
