import type { Metadata } from "next";
import type { ReactNode } from "react";
import { CHOOSE, SIGN_IN, done, ended, fields, open, problems } from "@/components/password/words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { passwordLink, passwordProblem, type LinkState } from "@/lib/server/pages/password-link";

export const metadata: Metadata = {
  title: CHOOSE,
  referrer: "no-referrer",
  robots: { index: false, follow: false },
};

type Props = {
  params: Promise<{ secret: string }>;
  searchParams: Promise<{ problem?: string | string[] }>;
};

/**
 * Target of an invitation or reset link: a form that needs no scripts. Viewing it changes nothing.
 */
export default async function PasswordPage({ params, searchParams }: Props) {
  const { secret } = await params;
  if (secret === "done") return <Said {...done} />;
  const link = await passwordLink(secret);
  if (link.state !== "open") return <Said {...ended[link.state]} />;
  const problem = passwordProblem((await searchParams).problem);
  return <Form link={link} secret={secret} problem={problem} />;
}

function Form({
  link: { purpose, name, email },
  secret,
  problem,
}: {
  link: Extract<LinkState, { state: "open" }>;
  secret: string;
  problem: ReturnType<typeof passwordProblem>;
}) {
  const said = problem === null ? null : problems[problem];
  const { heading, button } = open[purpose];
  return (
    <Page heading={heading}>
      <p className="mt-1.5 mb-7 text-[14px] leading-[21px] text-ink-2">
        {open.sentence(name)} {purpose === "reset" ? open.afterReset : null}
      </p>
      {/* The server says what is wrong, in our words. */}
      <form method="post" action="/signin/password" noValidate>
        <input type="hidden" name="link" value={secret} />
        <Field label={fields.email} type="email" autoComplete="username" value={email} readOnly />
        <Field
          label={fields.password}
          name="password"
          type="password"
          autoComplete="new-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this form and nothing else
          autoFocus
          required
          minLength={12}
          maxLength={200}
          problem={problem === "different" ? null : said}
        />
        <Field
          label={fields.again}
          name="again"
          type="password"
          autoComplete="new-password"
          required
          maxLength={200}
          problem={problem === "different" ? said : null}
        />
        <p className="text-xs text-ink-2">{open.rule}</p>
        <Button type="submit" look="primary" size="large" className="mt-4">
          {button}
        </Button>
      </form>
    </Page>
  );
}

function Said({ title, sentence }: { title: string; sentence: string }) {
  return (
    <Page heading={title}>
      <p className="mt-1.5 mb-7 text-[14px] leading-[21px] text-ink-2">{sentence}</p>
      {/* A plain link: this page isn't part of client-side navigation. */}
      {/* oxlint-disable-next-line next/no-html-link-for-pages */}
      <a href="/signin" className="button-link">
        {SIGN_IN}
      </a>
    </Page>
  );
}

function Page({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <main className="relative min-h-screen">
      <div className="relative ml-[calc(50%-1px)] w-[420px] pt-[272px] pb-10 pl-8 max-md:mx-auto max-sm:mx-5 max-sm:w-auto max-sm:pt-[132px] max-sm:pl-6">
        <span
          className="plumb-drop top-0 left-0 h-[296px] w-0.5 [--bob:18px] max-sm:h-[150px]"
          aria-hidden="true"
        />
        <p className="mb-1.5 text-md font-strong">Plumbline</p>
        <h1 className="text-xl font-strong tracking-[-0.022em]">{heading}</h1>
        {children}
      </div>
    </main>
  );
}
