"use client";

import { useEffect, useLayoutEffect, useRef } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { cellDetail, sameDetail } from "./cell-detail";
import type { TipTarget } from "./detail-cells";
import { momentOf } from "@/lib/domain/judge";
import { useStrip } from "@/components/grid/strips/strips-context";

const ID = "grid-tip";
const EDGE_PX = 8;
const GAP_PX = 2;

/** The tooltip of one cell, next to it. Default export for `lazyPart`. */
export default function CellTip({
  target: { element, focused, cell },
  row,
  onClose,
}: {
  target: TipTarget;
  row: SyncStatusRow;
  onClose: () => void;
}) {
  const { asOf, source } = useLiveCompany();
  const timeZone = useZone();
  const strip = useStrip(row.id)?.label ?? "";
  const detail = useNow(
    (nowMs) => cellDetail(cell, row, momentOf({ as_of: asOf, source }, nowMs), { timeZone, strip }),
    sameDetail,
  );
  const tip = useRef<HTMLDivElement>(null);
  const hasDetail = detail !== null;

  useLayoutEffect(() => {
    const place = () => {
      if (tip.current === null || detail === null) return;
      if (element.isConnected) placeBeside(tip.current, element.getBoundingClientRect());
      else onClose();
    };
    place();
    // Focus scrolls its row into view, and the tip follows. Under a pointer, scrolling closes it.
    const onScroll = focused === null ? onClose : place;
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", onClose);
    return () => {
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", onClose);
    };
  }, [element, focused, detail, onClose]);
  useLayoutEffect(() => {
    if (focused === null || !hasDetail) return;
    focused.setAttribute("aria-describedby", ID);
    return () => focused.removeAttribute("aria-describedby");
  }, [focused, hasDetail]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onClose]);

  if (detail === null) return null;
  return (
    <div ref={tip} id={ID} role="tooltip" className="grid-tip">
      {detail.lead} {detail.strong === "" ? null : <b>{detail.strong}</b>}
      {detail.more === "" ? null : <div>{detail.more}</div>}
    </div>
  );
}

/** Below the cell, or above it where there is no room; always inside the window. */
function placeBeside(tip: HTMLElement, cell: DOMRect) {
  const { width, height } = tip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isBelow = cell.bottom + GAP_PX + height + EDGE_PX <= clientHeight;
  const top = isBelow ? cell.bottom + GAP_PX : cell.top - GAP_PX - height;
  const left = Math.max(EDGE_PX, Math.min(cell.left - 4, clientWidth - width - EDGE_PX));
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
