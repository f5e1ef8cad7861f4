CREATE TABLE "demo_removal" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "demo_removal_one" CHECK ("demo_removal"."id" = 1)
);
