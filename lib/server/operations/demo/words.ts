/** Error messages about the demo. */

export const NO_DEMO = "There’s no demo data.";
