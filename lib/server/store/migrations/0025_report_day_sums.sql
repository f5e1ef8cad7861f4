ALTER TABLE "report_days" ADD COLUMN "sums" jsonb;--> statement-breakpoint
UPDATE "report_days" SET "sums" = (
	SELECT coalesce(jsonb_agg(jsonb_build_array("partner_name", "on_time_ms", "overdue_ms", "planned_quiet_ms", "not_observed_ms", "worst")), '[]')
	FROM (
		SELECT "partner_name", sum("on_time_ms") AS "on_time_ms", sum("overdue_ms") AS "overdue_ms", sum("planned_quiet_ms") AS "planned_quiet_ms",
			sum("not_observed_ms") AS "not_observed_ms", coalesce(min(array_position(ARRAY['failing', 'stale', 'late'], "worst")), 0) AS "worst"
		FROM "report_endpoint_days"
		WHERE "report_endpoint_days"."company" = "report_days"."company" AND "report_endpoint_days"."day" = "report_days"."day"
			AND ("on_time_ms" + "overdue_ms" + "planned_quiet_ms" > 0 OR "webhook_ms" + "paused_ms" = 0)
		GROUP BY "partner_name"
	) AS "partners"
);
