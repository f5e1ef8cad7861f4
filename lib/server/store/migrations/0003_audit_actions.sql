CREATE TABLE "audit_actions" (
	"company" text NOT NULL,
	"action_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"person_email" text,
	"file_id" text,
	"search_text" text NOT NULL,
	"outcome" text,
	CONSTRAINT "audit_actions_company_action_id_pk" PRIMARY KEY("company","action_id")
);
--> statement-breakpoint
DROP INDEX "audit_log_at";--> statement-breakpoint
CREATE INDEX "audit_actions_asked" ON "audit_actions" USING btree ("company","asked_at","seq");--> statement-breakpoint
CREATE INDEX "audit_actions_person" ON "audit_actions" USING btree ("company","person_email","asked_at","seq");--> statement-breakpoint
CREATE INDEX "audit_actions_outcome" ON "audit_actions" USING btree ("company","outcome","asked_at","seq");--> statement-breakpoint
CREATE INDEX "audit_actions_file" ON "audit_actions" USING btree ("company","file_id");--> statement-breakpoint
-- Searching by part of a file's name; a server without pg_trgm still works, only slower.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX "audit_actions_search" ON "audit_actions" USING gin ("search_text" gin_trgm_ops);
  END IF;
END
$$;
