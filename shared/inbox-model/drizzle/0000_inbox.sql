CREATE TABLE "interaction_counters" (
	"status" text NOT NULL,
	"mode" text NOT NULL,
	"audience" text NOT NULL,
	"asker" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "interaction_counters_status_audience_asker_mode_pk" PRIMARY KEY("status","audience","asker","mode")
);
--> statement-breakpoint
CREATE TABLE "interactions" (
	"interaction_id" text PRIMARY KEY NOT NULL,
	"seq_asked" bigint NOT NULL,
	"seq_last" bigint NOT NULL,
	"status" text NOT NULL,
	"mode" text NOT NULL,
	"answer_format" text NOT NULL,
	"asker" text NOT NULL,
	"audience" text NOT NULL,
	"group_id" text NOT NULL,
	"channel" text,
	"deadline_ms" bigint NOT NULL,
	"resolved_ms" bigint,
	"answered_by" text,
	"answer" jsonb,
	"question" json NOT NULL,
	"external" json,
	"search" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE INDEX "interaction_counters_asker" ON "interaction_counters" USING btree ("asker","status");--> statement-breakpoint
CREATE INDEX "interaction_counters_empty" ON "interaction_counters" USING btree ("status") WHERE count = 0;--> statement-breakpoint
CREATE UNIQUE INDEX "interactions_seq" ON "interactions" USING btree ("seq_asked");--> statement-breakpoint
CREATE INDEX "interactions_pending" ON "interactions" USING btree ("audience","seq_asked") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "interactions_pending_seq" ON "interactions" USING btree ("seq_asked","deadline_ms") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "interactions_pending_deadline" ON "interactions" USING btree ("deadline_ms","seq_asked") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "interactions_ended" ON "interactions" USING btree ("status","seq_asked") WHERE status <> 'pending';--> statement-breakpoint
CREATE INDEX "interactions_deadline" ON "interactions" USING btree ("deadline_ms","seq_asked");--> statement-breakpoint
CREATE INDEX "interactions_pending_asker" ON "interactions" USING btree ("asker","seq_asked") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "interactions_asker" ON "interactions" USING btree ("asker","seq_asked");--> statement-breakpoint
CREATE INDEX "interactions_group" ON "interactions" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "interactions_audience" ON "interactions" USING btree ("audience","seq_asked");--> statement-breakpoint
CREATE INDEX "interactions_search" ON "interactions" USING gin ("search");