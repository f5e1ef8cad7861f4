/** A feed that the API no longer lists, as recorded. Instants are epoch milliseconds on the API's clock. */
export type RemovedFeed = {
  id: string;
  endpointKey: string;
  partnerName: string;
  /** When the API last listed it; null: not known. */
  lastListedMs: number | null;
  cadenceMs: number | null;
};
