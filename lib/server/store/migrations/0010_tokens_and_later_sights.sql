CREATE TABLE "upstream_tokens" (
	"origin" text NOT NULL,
	"client_id" text NOT NULL,
	"purpose" text NOT NULL,
	"sealed" text NOT NULL,
	"scopes" text NOT NULL,
	"issued_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	CONSTRAINT "upstream_tokens_origin_client_id_purpose_pk" PRIMARY KEY("origin","client_id","purpose")
);
--> statement-breakpoint
ALTER TABLE "deletion_items" ADD COLUMN "contradicted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deletion_items" ADD COLUMN "contradicted_by" text;--> statement-breakpoint
CREATE INDEX "deletion_items_final" ON "deletion_items" USING btree ("company","outcome_at") WHERE "deletion_items"."contradicted_at" is null and "deletion_items"."outcome" in ('deleted', 'already_gone', 'still_there');