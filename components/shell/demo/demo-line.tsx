import { ConnectFirst } from "./connect-first";
import { RemoveDemo } from "./remove-demo";
import { DEMO, demoWords } from "./words";

/**
 * Says on every page that data is invented, and what to do next.
 * @param companies names of the demo companies that the person may see, at least one
 * @param hasOthers the person also sees companies that aren't invented
 * @param mayManage the person may connect companies and remove the demo
 */
export function DemoLine({
  companies,
  hasOthers,
  mayManage,
}: {
  companies: readonly string[];
  hasOthers: boolean;
  mayManage: boolean;
}) {
  const { lead, sentence } = demoWords(companies, hasOthers);
  return (
    <section className="demo-line" aria-label={DEMO}>
      <p>
        <strong>{lead}</strong>{" "}
        <span className={hasOthers ? "" : "max-sm:sr-only"}>{sentence}</span>
      </p>
      {!mayManage ? null : hasOthers ? <RemoveDemo companies={companies} /> : <ConnectFirst />}
    </section>
  );
}
