/** On every answer that the front gives by itself. */
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "private, no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/**
 * Ends a request in the shape of all our errors.
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} error the code
 * @param {string} description a sentence
 * @param {Readonly<Record<string, string>>} headers
 */
export function refuse(response, status, error, description, headers = {}) {
  const body = JSON.stringify({ error, error_description: description });
  response.writeHead(status, {
    ...HEADERS,
    "content-length": Buffer.byteLength(body),
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
