import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { EvidenceLine } from "./evidence-line";

const drawn = (theirsOrOurs: PartnerShown["theirs_or_ours"]) =>
  renderToStaticMarkup(
    <EvidenceLine
      view={{
        partner_name: "Procore",
        theirs_or_ours: theirsOrOurs,
        counts: { behind: 1, quiet: 0 },
      }}
      isPast={false}
    />,
  ).replaceAll(/<[^>]+>/g, "");

test("names rate limiting as the only known cause where it is evidence, else says that none is known", () => {
  const limited = { kind: "limited" as const, hit: 1, of: 2, text: "1 of 2 reached the limit." };
  expect(drawn({ code: "limited", evidence: [limited] })).toMatch(
    /1 of 2 reached the limit\. Rate limiting is the only known cause\.$/,
  );
  expect(drawn({ code: "cant_tell", evidence: [] })).toMatch(
    /We can’t tell\. No cause is known\.$/,
  );
});
