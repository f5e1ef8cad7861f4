import { Chevron } from "@/components/marks/chevron";
import { zoneCity } from "@/lib/domain/time/zone-name";

export type ZoneButtonProps = {
  /** Accessible name, before the zone's. */
  label: string;
  /** IANA name of the current zone. */
  value: string;
  /** The person's own, which is offered first. */
  own: string;
  onChange: (zone: string) => void;
  className: string;
};

export const ZONE_BUTTON =
  "flex min-w-0 items-center justify-between gap-2 rounded border border-control bg-surface text-left text-ink";

export function zoneLabel(label: string, zone: string): string {
  return `${label}: ${zoneCity(zone)}`;
}

/** Content of the button. */
export function ZoneButtonContent({ value }: { value: string }) {
  return (
    <>
      <span className="truncate">{zoneCity(value)}</span>
      <Chevron className="shrink-0" />
    </>
  );
}
