"use client";

import { useZone } from "@/components/shell/time/zone";
import { ZoneButton } from "@/components/shell/time/zone-button";
import { zoneField as words } from "./words";

/** A time zone, or the installation's default. @param value IANA name; null: the default */
export function ZoneField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | null;
  onChange: (zone: string | null) => void;
}) {
  const own = useZone();
  if (value === null)
    return (
      <span className="flex flex-wrap items-center gap-x-3 pt-[7px] max-sm:pt-0">
        {words.own}
        <button type="button" className="settings-act" onClick={() => onChange(own)}>
          {words.choose}
        </button>
      </span>
    );
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <ZoneButton
        label={label}
        value={value}
        own={own}
        onChange={onChange}
        className="h-8 w-[220px] px-2.5 max-sm:h-11"
      />
      <button type="button" className="settings-act" onClick={() => onChange(null)}>
        {words.reset}
      </button>
    </span>
  );
}
