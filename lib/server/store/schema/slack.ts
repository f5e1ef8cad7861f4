import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { people } from "./people";
import { instant } from "./instant";

/** Accounts of Slack that people linked to their own. All timestamps in this file are on our clock. */
export const slackAccounts = pgTable(
  "slack_accounts",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Slack's ids of the workspace and of the user. */
    teamId: text("team_id").notNull(),
    userId: text("user_id").notNull(),
    /** Their names in Slack when they were linked; empty: unknown. */
    teamName: text("team_name").notNull(),
    userName: text("user_name").notNull(),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    linkedAt: instant("linked_at").notNull(),
  },
  (table) => [
    uniqueIndex("slack_accounts_user").on(table.teamId, table.userId),
    index("slack_accounts_person").on(table.personId),
  ],
);

/** One-time links that were sent to a user of Slack; each user has one at most. */
export const slackInvitations = pgTable(
  "slack_invitations",
  {
    teamId: text("team_id").notNull(),
    userId: text("user_id").notNull(),
    teamName: text("team_name").notNull(),
    userName: text("user_name").notNull(),
    /** Hex SHA-256. */
    tokenHash: text("token_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    uniqueIndex("slack_invitations_hash").on(table.tokenHash),
  ],
);
