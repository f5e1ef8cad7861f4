CREATE TABLE "rolled_up_calls" (
	"company" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"endpoint_ids" text[] NOT NULL,
	"readings" double precision[] NOT NULL,
	CONSTRAINT "rolled_up_calls_company_from_at_pk" PRIMARY KEY("company","from_at")
);
