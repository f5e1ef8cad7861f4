CREATE TABLE "pauses" (
	"what" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"backup_at" timestamp (3) with time zone
);
