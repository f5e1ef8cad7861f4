/** What a list of people can be narrowed to; `administrators` are those who are enabled. */
export const PEOPLE_FILTERS = ["administrators", "local", "disabled"] as const;
export type PeopleFilter = (typeof PEOPLE_FILTERS)[number];
