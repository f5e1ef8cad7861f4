/** Sentences of calendars. */

export const NO_CALENDAR = "No such calendar.";
export const TOO_MANY_CALENDARS =
  "You have too many calendar links for this company. Revoke one first.";
/** For an unknown property in a request. */
export const NOT_OF_CALENDARS = "isn’t a property of calendars";
export const TOO_MANY_TRIED =
  "Too many calendars that don’t exist were tried from your network. Try again later.";

export const calendarName = (company: string) => `${company}: quiet times and promises`;
/** @param until "24 Jan 2027"; null: all of them are in the calendar */
export const calendarDescription = (company: string, until: string | null) =>
  `Planned quiet times and promises of ${company}, in UTC.${
    until === null ? "" : ` Only those until ${until}: there are too many for one calendar.`
  }`;
export const UNAVAILABLE = "Plumbline can't answer now. Try again in a few seconds.";
