DROP INDEX "schedule_files_project";--> statement-breakpoint
CREATE INDEX "schedule_files_listing" ON "schedule_files" USING btree ("company","id","search_text","file_type","is_baseline","project_id","partner_token_id") WHERE "schedule_files"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_files_by_name" ON "schedule_files" USING btree ("company",left("search_text", 200),"id") WHERE "schedule_files"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_files_by_type" ON "schedule_files" USING btree ("company","file_type","id") WHERE "schedule_files"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_files_by_project" ON "schedule_files" USING btree ("company",lower(left("project_name", 200)),"id") WHERE "schedule_files"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_files_of_project" ON "schedule_files" USING btree ("company","project_id","uploaded_at" DESC NULLS LAST) WHERE "schedule_files"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_files_gone" ON "schedule_files" USING btree ("company","gone_at") WHERE "schedule_files"."gone_at" is not null;--> statement-breakpoint
-- Every walk touches every row: room to do so in place, and cleaned before counts get slow.
ALTER TABLE "schedule_files" SET (
	fillfactor = 85,
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_insert_scale_factor = 0.05,
	autovacuum_analyze_scale_factor = 0.05
);
