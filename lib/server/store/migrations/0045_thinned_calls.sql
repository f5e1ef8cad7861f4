ALTER TABLE "companies" ADD COLUMN "calls_thinned_until" timestamp (3) with time zone;--> statement-breakpoint
-- By default a fifth of these tables may be deleted rows before their space is used again.
ALTER TABLE "runs" SET (autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "landings" SET (autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "verdict_changes" SET (autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "call_samples" SET (autovacuum_vacuum_scale_factor = 0.02);
