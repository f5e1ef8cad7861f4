/** The words in place of the list: loaded with it, which the overview does not load at first. */
import type { Verdict } from "@/lib/domain/sync";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";

/** What a filter shows only. */
type Chosen = Verdict | "attention";

export const STARTING = "First check in progress";
export const STARTING_SENTENCE = "Verdicts appear after the first full check.";
export const NO_DATA = "Not checked yet";
export const noDataSentence = (company: string) =>
  `We haven’t completed a check of ${company} yet. Its endpoints appear after the first one.`;
export const NO_ENDPOINTS = "No endpoints at the last check";
export const noEndpointsSentence = (company: string) =>
  `The source reported no integrations for ${company}. They appear here once it does.`;
export const showAllText = (total: number) => `Show all ${total}`;
export const noneOfText = (word: Chosen) =>
  word === "attention" ? "No endpoints need attention" : `No ${word} endpoints`;
export const hiddenSentence = (word: Chosen, hidden: number) =>
  `${onlyText(word)} Endpoints hidden by this filter: ${hidden}.`;
const onlyText = (word: Chosen) =>
  word === "attention"
    ? "Showing only what needs attention."
    : `Showing ${VERDICT_LABEL[word]} only.`;
export const noMatchTitle = (wanted: string) => `No match for “${wanted}”`;
export const noMatchSentence = (verdict: Chosen | null) =>
  `No partner or endpoint matches.${verdict === null ? "" : ` ${onlyText(verdict)}`}`;
export const didYouMean = (name: string) => `Did you mean ${name}?`;
export const openText = (endpointKey: string) => `Open ${endpointKey}`;
