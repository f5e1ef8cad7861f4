ALTER TABLE "displays" ALTER COLUMN "secret_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "displays" ADD COLUMN "revoked_by_name" text;--> statement-breakpoint
ALTER TABLE "displays" ADD COLUMN "reported_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "displays" ADD COLUMN "loaded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "pairings" ADD COLUMN "claimed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "pairings" ADD COLUMN "delivered_at" timestamp (3) with time zone;