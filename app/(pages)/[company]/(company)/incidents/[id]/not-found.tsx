import type { Metadata } from "next";
import { UnknownIncident } from "@/components/incidents/unknown-incident";

export const metadata: Metadata = { title: "No such incident" };

export default function IncidentNotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <UnknownIncident />
    </main>
  );
}
