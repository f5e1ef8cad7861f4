export const zonePicker = {
  label: "Find a time zone",
  placeholder: "City or time zone, such as Boston or EST",
  none: "No time zone matches. Try a larger city nearby.",
};

/** A time zone that is the installation's unless it is chosen. */
export const zoneField = {
  own: "Default of this installation",
  choose: "Choose another",
  reset: "Use the default",
};
