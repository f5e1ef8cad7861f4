CREATE TABLE "integration_names" (
	"company" text NOT NULL,
	"partner_token_id" bigint NOT NULL,
	"name" text NOT NULL,
	"named_by_id" uuid NOT NULL,
	"named_by_name" text NOT NULL,
	"named_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "integration_names_company_partner_token_id_pk" PRIMARY KEY("company","partner_token_id")
);
--> statement-breakpoint
ALTER TABLE "schedule_files" ADD COLUMN "look_key" text;--> statement-breakpoint
ALTER TABLE "schedule_files" ADD COLUMN "series_key" text;--> statement-breakpoint
ALTER TABLE "integration_names" ADD CONSTRAINT "integration_names_named_by_id_people_id_fk" FOREIGN KEY ("named_by_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_files_of_look" ON "schedule_files" USING btree ("company","look_key") WHERE "schedule_files"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_files_of_series" ON "schedule_files" USING btree ("company","series_key","uploaded_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "schedule_files"."gone_at" is null and "schedule_files"."series_key" is not null;