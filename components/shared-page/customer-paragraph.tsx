import type { SharedPresent } from "@/lib/contracts/shared-page";
import { customerWords } from "@/lib/domain/words/customer/customer-words";
import { SeenOrBlind } from "./cells";

/**
 * The paragraph for the customer, which leads the page; another one for when the page goes blind.
 * @param now.endpoints at least one
 * @param total number of the partner's endpoints, if the page shows only those in trouble
 */
export function CustomerParagraph({
  partnerName,
  now: { endpoints, confidence, isResting, asOfMs, apiNowMs: nowMs },
  total = endpoints.length,
  timeZone,
}: {
  partnerName: string;
  now: SharedPresent;
  total?: number;
  timeZone: string;
}) {
  const paragraph = (isBlind: boolean) => {
    const feeds = endpoints.map(({ endpointKey, verdict, judgement, promise }) => ({
      endpointKey,
      judgement,
      word: isBlind ? verdict : judgement.word,
      promise,
    }));
    // A page that gets no responses doesn't know whether checks failed.
    const silence = isBlind && confidence !== "blind" ? "no_answer" : null;
    const seenAs = isBlind ? "blind" : confidence;
    const picture = { confidence: seenAs, asOfMs, silence, isResting } as const;
    return customerWords(partnerName, feeds, picture, { nowMs, timeZone }, total).paragraph;
  };
  return (
    <p className="lead">
      {confidence === "blind" ? (
        paragraph(true)
      ) : (
        <SeenOrBlind seen={paragraph(false)} blind={paragraph(true)} />
      )}
    </p>
  );
}
