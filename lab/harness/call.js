/**
 * Sends a request with a JSON body or none over its own connection, and returns the body of the response. A connection that
 * stays open would be counted as left over.
 *
 * @param {string} url
 * @param {string} method
 * @param {string} path
 * @param {unknown} [value]
 * @returns {Promise<any>}
 */
export async function callJson(url, method, path, value) {
  const body = JSON.stringify(value);
  const headers = { connection: 'close', ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, { method, headers, ...(body && { body }) });
  if (!response.ok) throw new Error(`${method} ${path} has the status ${response.status}.`);
  return response.json();
}

/**
 * Returns whether `/health` has the status 200.
 *
 * @param {string} url
 */
export function isHealthy(url) {
  return fetch(`${url}/health`, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );
}
