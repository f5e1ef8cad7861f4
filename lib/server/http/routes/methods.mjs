/** The methods that we support. Next answers any other, such as TRACE, with a server error. */
export const METHODS = /** @type {const} */ ([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);
