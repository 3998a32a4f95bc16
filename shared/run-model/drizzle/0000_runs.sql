CREATE TABLE "park_asks" (
	"interaction_id" text NOT NULL,
	"park_seq" bigint NOT NULL,
	CONSTRAINT "park_asks_interaction_id_park_seq_pk" PRIMARY KEY("interaction_id","park_seq")
);
--> statement-breakpoint
CREATE TABLE "parks" (
	"park_seq" bigint PRIMARY KEY NOT NULL,
	"driver" text NOT NULL,
	"run_token" text NOT NULL,
	"park_token" text NOT NULL,
	"run_id" text NOT NULL,
	"park_id" text NOT NULL,
	"owner" text NOT NULL,
	"state" text NOT NULL,
	"total" integer NOT NULL,
	"remaining" integer NOT NULL,
	"attempts" integer NOT NULL,
	"reason" text,
	"claim_id" text,
	"fencing" bigint,
	"available_at_ms" bigint,
	"parked_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"sequence" bigint NOT NULL,
	"superseded" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_asks" (
	"interaction_id" text PRIMARY KEY NOT NULL,
	"driver" text NOT NULL,
	"deadline_ms" bigint NOT NULL,
	"status" text NOT NULL,
	"sequence" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "parks_address" ON "parks" USING btree ("driver","run_token","park_token");--> statement-breakpoint
CREATE INDEX "parks_newest" ON "parks" USING btree ("driver","run_token","park_seq") WHERE not superseded;--> statement-breakpoint
CREATE INDEX "parks_claimable" ON "parks" USING btree ("driver","available_at_ms","park_seq") WHERE state = 'resuming';--> statement-breakpoint
CREATE INDEX "parks_resuming_run" ON "parks" USING btree ("driver","run_token","park_seq") WHERE state = 'resuming';--> statement-breakpoint
CREATE INDEX "parks_ready" ON "parks" USING btree ("park_seq") WHERE state = 'parked' and remaining = 0;--> statement-breakpoint
CREATE INDEX "parks_listed" ON "parks" USING btree ("state","park_seq") WHERE state <> 'resumed' or not superseded;--> statement-breakpoint
CREATE INDEX "parks_listed_driver" ON "parks" USING btree ("driver","state","park_seq") WHERE state <> 'resumed' or not superseded;--> statement-breakpoint
CREATE INDEX "parks_listed_owner" ON "parks" USING btree ("owner","state","park_seq") WHERE state <> 'resumed' or not superseded;--> statement-breakpoint
CREATE INDEX "run_asks_deadline" ON "run_asks" USING btree ("driver","deadline_ms") WHERE status = 'pending';