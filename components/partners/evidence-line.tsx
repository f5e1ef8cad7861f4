import type { PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { knownCauseText } from "@/lib/domain/words/known-cause";
import { ownerOfTroubleText } from "@/lib/domain/words/partners/theirs-or-ours";
import { evidence as words } from "./words";

/** Whose trouble it is, in one line, and what that rests on. */
export function EvidenceLine({
  view,
  isPast,
}: {
  view: Pick<PartnerShown, "partner_name" | "theirs_or_ours"> & {
    counts: Pick<PartnerShown["counts"], "behind" | "quiet">;
  };
  isPast: boolean;
}) {
  const { code, evidence } = view.theirs_or_ours;
  const { behind } = view.counts;
  const shown = evidence.filter(({ kind }) => {
    // The sentence above says how many companies are behind.
    if (kind === "companies") return code === "one_company";
    return kind !== "own_runs" || code === "theirs";
  });
  const isLimited = evidence.some(({ kind }) => kind === "limited");
  return (
    <section className="pe-evidence" aria-labelledby="us-or-them">
      <h2 id="us-or-them">{words.heading}</h2>
      <p>
        <b>{ownerOfTroubleText(code, view.partner_name, view.counts, isPast)}</b>{" "}
        {[...shown.map(({ text }) => text), behind === 0 ? "" : knownCauseText(isLimited)]
          .filter(Boolean)
          .join(" ")}
      </p>
    </section>
  );
}
