CREATE TABLE "leads" (
	"of" text PRIMARY KEY NOT NULL,
	"term" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
