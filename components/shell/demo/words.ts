/** Texts of the line that names demo data. */

export const DEMO = "Demo data";

const AMOUNTS = ["No", "One", "Two", "Three"];

/**
 * @param companies names of the demo companies, at least one
 * @param hasOthers other companies are connected too
 */
export function demoWords(
  companies: readonly string[],
  hasOthers: boolean,
): { lead: string; sentence: string } {
  const amount = companies.length;
  if (hasOthers) {
    const names = new Intl.ListFormat("en").format(companies);
    return {
      lead: "Some of this is demo data.",
      sentence: `${names} ${amount === 1 ? "is an invented customer" : "are invented customers"}, served by Plumbline itself.`,
    };
  }
  const customers = `${AMOUNTS[amount] ?? amount} invented ${amount === 1 ? "customer" : "customers"}`;
  return {
    lead: "This is demo data.",
    sentence: `${customers}, served by Plumbline itself. Nothing here reaches a real partner.`,
  };
}
