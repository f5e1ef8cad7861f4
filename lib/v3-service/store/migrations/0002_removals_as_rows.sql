CREATE TABLE "v3"."derived_data_removals" (
	"company_id" bigint NOT NULL,
	"file_id" bigint NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "derived_data_removals_company_id_file_id_pk" PRIMARY KEY("company_id","file_id")
);--> statement-breakpoint
-- What waits in the queue of earlier versions goes on as rows, and the queue goes; what others keep in pgboss stays.
DO $migration$
BEGIN
  INSERT INTO v3.derived_data_removals (company_id, file_id)
  SELECT DISTINCT (data->>'companyId')::bigint, (data->>'fileId')::bigint
  FROM pgboss.job
  WHERE name = 'v3-derived-data-removal' AND state::text NOT IN ('completed', 'cancelled');

  IF EXISTS (SELECT FROM pgboss.queue WHERE name <> 'v3-derived-data-removal' AND name NOT LIKE '\_\_pgboss\_\_%') THEN
    PERFORM pgboss.delete_queue('v3-derived-data-removal');
  ELSE
    DROP SCHEMA pgboss CASCADE;
  END IF;
END
$migration$;
