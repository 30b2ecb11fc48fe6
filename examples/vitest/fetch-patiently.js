/** The client to test: `fetch` that retries while the service is unavailable. */

/** @param {string} address @param {RequestInit} [options] */
export async function fetchPatiently(address, options, attempts = 4) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(address, options);
    if (response.status !== 503 || attempt === attempts) return response;
    const asked = Number(response.headers.get('retry-after') ?? 0) * 1000;
    const backOff = 250 * 4 ** (attempt - 1);
    await new Promise((resolve) => setTimeout(resolve, asked || backOff));
  }
}
