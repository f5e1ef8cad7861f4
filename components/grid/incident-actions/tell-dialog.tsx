"use client";

import { useQuery } from "@tanstack/react-query";
import { TellPartner } from "@/components/drill-down/share/tell-paragraph";
import { LiveCompanyProvider, useLiveCompany } from "@/components/shell/live-company";
import { liveHead } from "@/components/shell/live-head";
import Dialog from "@/components/ui/dialog";
import { syncStatusQuery } from "@/lib/client/queries/sync-status";
import { useServerClock } from "@/lib/client/use-now";
import type { CompanyName } from "@/lib/domain/companies/company-name";
import { partnerPath } from "@/lib/domain/partner-address";
import { actWords as words } from "./words";

/** What to tell the customer about a partner, from the company's current data. Default export for `lazyPart`. */
export default function TellDialog({
  company: { slug, name },
  partner,
  onClose,
}: {
  company: CompanyName;
  partner: string;
  onClose: () => void;
}) {
  const { data, isError } = useQuery(syncStatusQuery(slug, useServerClock()));
  return (
    <Dialog title={words.tellTitle(name, partner)} closeLabel={words.close} onClose={onClose}>
      {data === undefined ? (
        <p role="status">{isError ? words.notTold : words.telling}</p>
      ) : (
        <LiveCompanyProvider
          slug={slug}
          name={name}
          mayConnect={false}
          head={liveHead(data.view, data.receivedMs, partnerPath(slug, partner))}
        >
          <Tell partner={partner} />
        </LiveCompanyProvider>
      )}
    </Dialog>
  );
}

function Tell({ partner }: { partner: string }) {
  const { view } = useLiveCompany();
  const rows = view?.rows.filter(({ partner_name: name }) => name === partner) ?? [];
  return <TellPartner partnerName={partner} rows={rows} />;
}
