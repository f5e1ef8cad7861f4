import { timestamp } from "drizzle-orm/pg-core";

/** Column of an instant with millisecond precision, as JavaScript has. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
