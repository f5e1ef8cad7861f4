ALTER TABLE "endpoints" DROP COLUMN "status";--> statement-breakpoint
ALTER TABLE "endpoints" DROP COLUMN "last_updated_at";--> statement-breakpoint
ALTER TABLE "endpoints" DROP COLUMN "next_sync_at";--> statement-breakpoint
ALTER TABLE "endpoints" DROP COLUMN "last_sync_status";--> statement-breakpoint
ALTER TABLE "endpoints" DROP COLUMN "last_sync_started_at";--> statement-breakpoint
ALTER TABLE "endpoints" DROP COLUMN "last_sync_finished_at";--> statement-breakpoint
ALTER TABLE "endpoints" DROP COLUMN "last_sync_duration_seconds";--> statement-breakpoint
ALTER TABLE "endpoints" DROP COLUMN "api_calls_last_24h";