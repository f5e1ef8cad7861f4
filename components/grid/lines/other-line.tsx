import { FoldRow } from "./fold-row";
import type { OtherLineProps } from "@/components/grid/grid";
import { GroupRow } from "./group-row";
import { SectionRow } from "./section-row";

/** A partner, its folded endpoints, or the beginning of all partners: lines of the overview only. */
export function OtherLine({ line, onToggle, ...place }: OtherLineProps) {
  if (line.kind === "group") return <GroupRow {...place} line={line} onToggle={onToggle} />;
  if (line.kind === "fold") return <FoldRow {...place} line={line} onShow={onToggle} />;
  return <SectionRow {...place} line={line} onToggle={onToggle} />;
}
