/** The client to test: `fetch` that retries while the service is unavailable. */

/** @param {string} address @param {RequestInit} [options] */
export async function fetchPatiently(address, options, attempts = 4) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(address, options);
    if (answer.status !== 503 || attempt === attempts) return answer;
    const asked = Number(answer.headers.get('retry-after') ?? 0) * 1000;
    const backOff = 250 * 4 ** (attempt - 1);
    await new Promise((resolve) => setTimeout(resolve, asked || backOff));
  }
}
