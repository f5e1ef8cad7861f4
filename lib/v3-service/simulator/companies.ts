/** A demo company: the data needed for its API client and its connection. */
export type DemoCompany = {
  /** Used in addresses and in the world's events. */
  slug: DemoSlug;
  name: string;
  /** The v3 service's own id. */
  companyId: number;
  clientId: string;
};

export type DemoSlug = "northgate" | "harbour" | "orchard";

/** The companies of demo mode, in display order. */
export const DEMO_COMPANIES: readonly DemoCompany[] = [
  {
    slug: "northgate",
    name: "Northgate Builders",
    companyId: 4100,
    clientId: "demo-northgate",
  },
  {
    slug: "harbour",
    name: "Harbour Civil Works",
    companyId: 4200,
    clientId: "demo-harbour",
  },
  {
    slug: "orchard",
    name: "Orchard Homes",
    companyId: 4300,
    clientId: "demo-orchard",
  },
];
