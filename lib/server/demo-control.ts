/** The demo of this installation: invented companies and people, until an administrator removes it. */
export type DemoControl = {
  /** Whether its companies are connected. */
  isOn(): boolean;
  /** Whether it is on, and a company is one of its own. @param slug of a connected company */
  has(slug: string): boolean;
  /**
   * Removes it for good, on all instances: companies, people, sessions, links and record. Resolves when it is gone, or
   * earlier with "removing", after some seconds; the rest follows in the background, also after a restart.
   * @param change who requested it, and when on our clock, epoch milliseconds
   */
  remove(change: {
    person: { id: string; name: string; email: string };
    nowMs: number;
  }): Promise<"removed" | "removing">;
};
