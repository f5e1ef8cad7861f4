import { CONTROL, type Control } from "../../database";

/**
 * What only the process that leads may write, by lead: of each of its transactions at least one table that it always
 * writes to. People write to some of these, too; in the simulation they have a connection of their own. Old rows are
 * deleted under another lead, which isn't looked at.
 */
const WRITTEN = {
  collector: [
    "companies",
    "company_state",
    "endpoints",
    "incident_states",
    "gaps",
    "report_days",
    "rolled_up_calls",
    "learned_weeks",
    "learned_week_feeds",
    "learned_week_progress",
  ],
  files: ["file_indexes"],
  deletions: ["deletions", "deletion_items"],
  deliveries: ["deliveries", "channels"],
  fleetIncidents: ["fleet_incidents", "fleet_progress"],
} as const;

/** PostgreSQL itself notes who began the last term, and what others have written since. */
const INSTALL = `
  create table if not exists simulated.leaders (lead text primary key, by text not null);
  create table if not exists simulated.late_writes (
    n bigserial primary key, lead text not null, written text not null, by text not null, leader text not null
  );
  create or replace function simulated.note_term() returns trigger language plpgsql as $$ begin
    insert into simulated.leaders values (new.of, current_setting('application_name'))
    on conflict (lead) do update set by = excluded.by;
    return null;
  end $$;
  create or replace function simulated.note_late_write() returns trigger language plpgsql as $$ begin
    insert into simulated.late_writes (lead, written, by, leader)
    select lead, tg_table_name, current_setting('application_name'), by from simulated.leaders
    where lead = tg_argv[0] and current_setting('application_name') not in (by, '${CONTROL}');
    return null;
  end $$;
  create trigger simulated_term after insert or update on leads
    for each row execute function simulated.note_term();
`;

/** Installs the triggers. They note in `simulated.late_writes`. */
export async function watchTerms(control: Pick<Control, "rows">): Promise<void> {
  await control.rows(INSTALL);
  for (const [lead, tables] of Object.entries(WRITTEN))
    for (const table of tables)
      await control.rows(
        `create trigger simulated_late after insert or update on ${table}
         for each row execute function simulated.note_late_write('${lead}')`,
      );
}
