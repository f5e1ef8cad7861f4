import type { Metadata } from "next";
import { UnknownFile } from "@/components/schedules/unknown-file";

export const metadata: Metadata = { title: "No such file" };

export default function ScheduleNotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <UnknownFile />
    </main>
  );
}
