import { allOf, count, counted } from "@/lib/domain/words/format";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";

/** The combined confidence of all customers. */
export const fleetWords = {
  /** The ledger, until the list of customers is loaded. */
  loading: "Loading all customers…",
  live: (live: number, all: number) =>
    live === all ? CONFIDENCE_LABEL.live : `${count(live)} of ${count(all)} live`,
  /** "can’t see Tarn Airports", "can’t see 3". @param name of one of them; undefined: not known */
  blind: (amount: number, name: string | undefined) => {
    if (amount === 0) return "";
    return `can’t see ${amount === 1 && name !== undefined ? name : count(amount)}`;
  },
  delayed: (amount: number) => (amount === 0 ? "" : `${count(amount)} delayed`),
  unread: (amount: number) => (amount === 0 ? "" : `${count(amount)} not checked yet`),
  lastCheckTitle: "the oldest last complete check of all customers",
  partnerDataTitle: "newest and oldest data of all customers that we see",
  /** The ledger's sentence about those that are live. */
  isLive: (live: number, all: number) =>
    live === all
      ? `Our checks are live${all === 1 ? "" : ` for ${allOf(all)} customers`}.`
      : `Our checks are live for ${count(live)} of ${counted(all, "customer")}.`,
  isDelayed: (amount: number) => `They’re delayed for ${count(amount)}.`,
  /**
   * @param unseen names, each with the time of its last complete check: "13:52"
   * @param others number of further ones
   */
  notSeen: (unseen: readonly { name: string; since: string }[], others: number) => {
    const named = unseen.map(({ name, since }) => `${name} since ${since}`);
    const all = others === 0 ? named : [...named, counted(others, "other customer")];
    const last = all.at(-1);
    if (last === undefined) return "";
    const listed = all.length === 1 ? last : `${all.slice(0, -1).join(", ")} and ${last}`;
    return `We haven’t been able to see ${listed}.`;
  },
  notChecked: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]} hasn’t been checked yet.`
      : `${counted(names.length, "customer")} haven’t been checked yet.`,
};
