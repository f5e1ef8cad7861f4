import type { Fault } from "./fault";

/** Applies a fault to a valid body: to every item of its list, or to the body itself. */
export function altered(body: object, fault: Fault | null): object {
  const alter = alterationOf(fault);
  if (alter === null) return body;
  return "data" in body ? { ...body, data: (body.data as object[]).map(alter) } : alter(body);
}

/** As JSON, with numbers that JavaScript can't represent. */
export function written(body: object): string {
  return JSON.stringify(body).replaceAll(`"${BEYOND_NUMBERS}"`, BEYOND_NUMBERS);
}

/** A string in an altered body, a number on the wire. */
const BEYOND_NUMBERS = "1e400";

function alterationOf(fault: Fault | null): ((item: object) => object) | null {
  if (fault?.kind === "odd_values") return withOddValues;
  if (fault?.kind !== "long_text") return null;
  return (item) => withLongText(item, fault.member, fault.length);
}

/** Fields of a row are its attributes, except its id. */
function withLongText(item: object, member: string, length: number): object {
  const text = "x".repeat(length);
  if ("attributes" in item && member !== "id")
    return { ...item, attributes: { ...(item.attributes as object), [member]: text } };
  return { ...item, [member]: text };
}

function withOddValues(item: object): object {
  const odd = {
    ["__proto__"]: { polluted: true },
    constructor: { prototype: { polluted: true } },
    beyond: BEYOND_NUMBERS,
    nested: { ["__proto__"]: { polluted: true }, "nul\0": ["\0", "half \ud83d", BEYOND_NUMBERS] },
  };
  if (!("attributes" in item)) return { ...odd, ...item, name: "Tower\0 \ud83d.xer" };
  const attributes = { ...odd, ...(item.attributes as object), partner_name: "Pro\0core \udc00" };
  return { ...odd, ...item, attributes };
}
