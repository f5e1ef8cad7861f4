"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { ResourcePage } from "@/components/resource/resource-page";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import type { Theme } from "@/lib/client/theme";
import { endSessions, meQuery } from "@/lib/client/queries/me";
import { signOut } from "@/lib/client/session/sign-out";
import type { MeView as View, MySession } from "@/lib/contracts/me";
import { Preferences } from "./preferences";
import { Rights } from "./rights";
import { Sessions } from "./sessions";
import { SignIn } from "./sign-in";
import { Slack } from "./slack";
import { accountText, done, endOthersDialog, loading, sessionWords } from "./words";

const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

/**
 * The person's own page: rights with reasons, sessions and preferences.
 * @param first data sent with the page; null: unavailable
 * @param companies visible to the person
 * @param theme chosen in this browser, like `start`, the company that a visit starts with
 */
export function MeView({
  first,
  companies,
  theme,
  start,
}: {
  first: View | null;
  companies: readonly { slug: string; name: string }[];
  theme: Theme;
  start: string | null;
}) {
  const client = useQueryClient();
  const { data, isError } = useQuery({
    ...meQuery,
    ...(first === null ? {} : { initialData: first }),
  });
  const [said, setSaid] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  /** How many other sessions are about to be ended; null: that isn't asked. */
  const [ending, setEnding] = useState<number | null>(null);
  const leave = async () => {
    setIsBusy(true);
    if (!(await signOut())) setSaid(done.notSignedOut);
    setIsBusy(false);
  };
  const end = async (session: MySession | null) => {
    setIsBusy(true);
    setSaid("");
    setSaid(await ended(session));
    setIsBusy(false);
  };
  const ended = async (session: MySession | null): Promise<string> => {
    try {
      const amount = await endSessions(client, session?.id ?? null);
      if (session !== null) return done.ended(session.browser || sessionWords.unknownBrowser);
      return amount === 0 ? done.noOthers : done.endedOthers(amount);
    } catch (error) {
      return statusOf(error) === 404 ? done.gone : done.failed;
    }
  };

  const preferences = <Preferences companies={companies} firstTheme={theme} firstStart={start} />;
  if (data === undefined) {
    return (
      <ResourcePage
        title={loading.title}
        subline={<span role="status">{isError ? loading.silent : loading.sentence}</span>}
      >
        <div className="max-w-[684px]">{preferences}</div>
      </ResourcePage>
    );
  }
  const { person, local, grants, sessions } = data;
  const others = sessions.filter(({ current }) => !current).length;
  return (
    <ResourcePage
      title={<bdi>{person.name || person.email}</bdi>}
      subline={
        <span className="wrap-anywhere">
          <bdi>{person.email}</bdi>, {accountText(person.kind, person.provider)}
        </span>
      }
      actions={
        <>
          <Button isBusy={isBusy} disabled={others === 0} onClick={() => setEnding(others)}>
            {sessionWords.endOthers}
          </Button>
          <Button isBusy={isBusy} onClick={() => void leave()}>
            {sessionWords.signOut}
          </Button>
        </>
      }
    >
      <Rights grants={grants} companies={companies} />
      <Sessions
        sessions={sessions}
        isBusy={isBusy}
        onEnd={(session) => void end(session)}
        onLeave={() => void leave()}
      />
      <p role="status" className="mb-3 text-ink-2 empty:hidden">
        {said}
      </p>
      <div className="grid grid-cols-2 items-start gap-x-6 max-lg:grid-cols-1">
        {preferences}
        <SignIn email={person.email} local={local} provider={person.provider} />
        <Slack onDone={setSaid} />
      </div>
      {ending === null ? null : (
        <Suspense>
          <ConfirmDialog
            {...endOthersDialog(ending)}
            onDo={async () => {
              await end(null);
              setEnding(null);
              return null;
            }}
            onClose={() => setEnding(null)}
          />
        </Suspense>
      )}
    </ResourcePage>
  );
}
