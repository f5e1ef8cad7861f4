import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EARLY_SUBMIT_SCRIPT } from "@/components/signin/early-submit";
import { SignInWays } from "@/components/signin/sign-in-ways";
import { EarlyScript } from "@/components/ui/early/early-script";
import { callbackPath } from "@/lib/server/pages/callback-path";
import { pageCard } from "@/lib/server/pages/page-card";
import { currentPerson } from "@/lib/server/pages/current-person";
import { signInWays } from "@/lib/server/pages/sign-in-ways";
import {
  goBack,
  intro,
  NOT_PROVEN_AGAIN,
  problemOf,
  SIGN_IN,
  stillSignedIn,
} from "@/components/signin/words";

/** Requests without a session end up here, so it has the card of every address that needs one. */
export async function generateMetadata(): Promise<Metadata> {
  const { title, description, image, imageAlt } = await pageCard();
  const images = [{ url: image, width: 1200, height: 630, alt: imageAlt }];
  return {
    title: SIGN_IN,
    description,
    openGraph: { type: "website", siteName: title, title, description, images },
    twitter: { card: "summary_large_image", title, description, images },
  };
}

type Props = {
  searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[] }>;
};

export default async function SignInPage({ searchParams }: Props) {
  const { callbackUrl, error } = await searchParams;
  const path = callbackPath(typeof callbackUrl === "string" ? callbackUrl : undefined);
  const isSignedIn = (await currentPerson()) !== null;
  if (isSignedIn && error !== NOT_PROVEN_AGAIN) redirect(path);
  const { provider, local, lookedAt } = await signInWays();
  const name = provider?.name ?? "";
  const problem = typeof error === "string" ? problemOf(error, { name, lookedAt }) : null;
  return (
    <main className="relative min-h-screen">
      <div className="relative ml-[calc(50%-1px)] w-[420px] pt-[272px] pb-10 pl-8 max-md:mx-auto max-sm:mx-5 max-sm:w-auto max-sm:pt-[132px] max-sm:pl-6">
        <span
          className="plumb-drop top-0 left-0 h-[296px] w-0.5 [--bob:18px] max-sm:h-[150px]"
          aria-hidden="true"
        />
        <p className="mb-1.5 text-md font-strong">{intro.name}</p>
        <h1 className="text-xl font-strong tracking-[-0.022em]">{intro.heading}</h1>
        <p className="mt-1.5 mb-7 text-[14px] leading-[21px] text-ink-2">
          {isSignedIn ? null : intro.sentence}
        </p>
        <noscript>
          <p className="mb-4 text-failing-text">{intro.noScript}</p>
        </noscript>
        <EarlyScript script={EARLY_SUBMIT_SCRIPT} />
        {problem !== null && (
          <p role="alert" className="mb-4 text-[14px] leading-[21px] text-failing-text">
            {problem}
          </p>
        )}
        {isSignedIn ? (
          <p className="text-[14px] leading-[21px] text-ink-2">
            {stillSignedIn}{" "}
            <a className="underline underline-offset-3" href={path}>
              {goBack}
            </a>
          </p>
        ) : (
          <SignInWays callbackPath={path} provider={provider} local={local} />
        )}
      </div>
    </main>
  );
}
