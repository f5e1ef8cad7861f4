"use client";

import { Fragment } from "react";
import { ResourcePage } from "@/components/resource/resource-page";
import { Crumbs } from "@/components/shell/crumbs";
import { useLiveCompany } from "@/components/shell/live-company";
import { Button } from "@/components/ui/button";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { PromiseView } from "@/lib/contracts/promises";
import { promisesAddress } from "@/lib/domain/deadlines/promise-tally";
import { promiseHeading, subjectIn, subjectText } from "./listed";
import { ALL_FEEDS, PROMISES, factsOf, formWords as words } from "./words";

/** One promise, for those who may not change it. Default export for `lazyPart`. */
export default function PromiseFacts({
  promise,
  onBack,
}: {
  promise: PromiseView;
  onBack: () => void;
}) {
  const { slug, view } = useLiveCompany();
  const subject = subjectIn(view?.rows ?? NO_ROWS, promise);
  return (
    <ResourcePage
      above={
        <Crumbs
          trail={[
            { label: PROMISES, href: promisesAddress(slug) },
            { label: words.one, href: null },
          ]}
        />
      }
      title={promiseHeading({ subject, promise }, ALL_FEEDS)}
      subline={words.sentence}
    >
      <dl className="grid max-w-[680px] grid-cols-[148px_minmax(0,1fr)] border-b border-line-strong wrap-anywhere max-sm:grid-cols-1">
        {factsOf(promise, subjectText(subject, ALL_FEEDS)).map(([name, text]) => (
          <Fragment key={name}>
            <dt className="border-t border-line pt-2.5 text-xs/5 font-medium sm:pr-4 sm:pb-2.5">
              {name}
            </dt>
            <dd className="pb-2.5 sm:border-t sm:border-line sm:pt-2.5">
              <bdi>{text}</bdi>
            </dd>
          </Fragment>
        ))}
      </dl>
      <Button className="mt-3.5" onClick={onBack}>
        {words.back}
      </Button>
    </ResourcePage>
  );
}

const NO_ROWS: readonly SyncStatusRow[] = [];
