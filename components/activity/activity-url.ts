import {
  pageParam,
  searchParam,
  nameParam,
  usually,
  wordParam,
  type Param,
  type StateOf,
} from "@/lib/client/address/address-params";
import { OUTCOMES } from "@/lib/domain/deletion";

/** An instant on a valid date. */
const instantParam: Param<Date> = {
  parse: (text) => {
    const day = new Date(text.slice(0, 10));
    const isDay = !Number.isNaN(day.getTime()) && text.startsWith(day.toISOString().slice(0, 10));
    const instant = new Date(text);
    return isDay && !Number.isNaN(instant.getTime()) ? instant : null;
  },
  format: (instant) => instant.toISOString(),
  absent: null,
};

/** The shareable state of the activity log, as stored in the address. */
export const activityParams = {
  /** Part of a file's name, or its id. */
  q: usually(searchParam, ""),
  outcome: wordParam(OUTCOMES),
  /** E-mail address of the person who acted. */
  person: nameParam,
  /** Instants, so that the view is equal in every zone. */
  from: instantParam,
  until: instantParam,
  page: usually(pageParam, 1),
};

export type ActivityState = StateOf<typeof activityParams>;

export const NO_FILTERS = {
  q: "",
  outcome: null,
  person: null,
  from: null,
  until: null,
  page: 1,
} as const satisfies ActivityState;
