/** @typedef {"br" | "gzip"} Encoding */

/**
 * The best encoding that we support.
 * @param {string | string[] | undefined} accepted the `Accept-Encoding` header
 * @returns {Encoding | null}
 */
export function bestEncoding(accepted) {
  const text = String(accepted ?? "").toLowerCase();
  // Fast path for what browsers send; the full grammar is for others.
  if (!text.includes("q=") && /(?:^|[ ,])br(?:$|[ ,])/.test(text)) return "br";
  const offers = new Map(
    text.split(",").map((offer) => {
      const [name = "", ...parameters] = offer.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
  if ((offers.get("br") ?? 0) > 0) return "br";
  if ((offers.get("gzip") ?? 0) > 0) return "gzip";
  return null;
}
