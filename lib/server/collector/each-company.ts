import { setMaxListeners } from "node:events";
import type { ConnectedCompany, LivingCompanies } from "@/lib/server/upstream/connections";
import type { Upstream } from "@/lib/server/upstream/upstream";

type Task = { upstream: Upstream; stopping: AbortController };

/**
 * Runs `work` for each company until `signal` aborts: starts it for added companies, ends it for removed ones,
 * and restarts it, after the previous run has ended, when a company's upstream has changed. Other companies
 * aren't affected.
 * @param work returns promptly after its signal aborts
 * @throws the first error of any `work`
 */
export async function workOnEach(
  companies: LivingCompanies,
  signal: AbortSignal,
  work: (company: ConnectedCompany, signal: AbortSignal, place: number) => Promise<void>,
): Promise<void> {
  const tasks = new Map<string, Task>();
  /** Per slug, the latest run, which may still be ending. */
  const endings = new Map<string, Promise<void>>();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {});

  function follow(): void {
    if (signal.aborted) return;
    const now = new Map(
      companies.current().map((company) => [company.connection.company, company]),
    );
    for (const [slug, { upstream, stopping }] of tasks) {
      if (now.get(slug)?.upstream === upstream) continue;
      stopping.abort();
      tasks.delete(slug);
    }
    let place = 0;
    for (const [slug, company] of now) {
      if (!tasks.has(slug)) tasks.set(slug, start(slug, company, place++));
    }
  }

  function start(slug: string, company: ConnectedCompany, place: number): Task {
    const stopping = new AbortController();
    const own = AbortSignal.any([signal, stopping.signal]);
    setMaxListeners(0, own);
    const before = endings.get(slug);
    const ended = (async () => {
      await before;
      if (own.aborted) return;
      try {
        await work(company, own, place);
      } catch (error) {
        if (!own.aborted) fail(error);
      }
    })();
    endings.set(slug, ended);
    void ended.then(() => endings.get(slug) === ended && endings.delete(slug));
    return { upstream: company.upstream, stopping };
  }

  const stop = companies.onChange(follow);
  try {
    follow();
    await Promise.race([failed, aborted(signal)]);
    await Promise.all(endings.values());
  } finally {
    stop();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
