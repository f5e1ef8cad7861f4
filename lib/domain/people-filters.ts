/** Filters of the list of people; `administrators` are the enabled ones. */
export const PEOPLE_FILTERS = ["administrators", "local", "disabled"] as const;
export type PeopleFilter = (typeof PEOPLE_FILTERS)[number];
