/** Repeats requests, and shows that they reach what they attack. */

const width = 4;

/**
 * @typedef {object} Aimed
 * @property {string} method
 * @property {string} path
 * @property {import('../../attacker.js').RequestParts} parts
 * @property {number} status
 * @property {string} [text] A part of the response
 */

/**
 * Sends requests until the time is up. Returns a complaint unless all kinds of them got the expected
 * response at least once, and no request got a response that is neither expected nor a lack of room.
 *
 * @param {import('../../attacker.js').Attacker} attacker
 * @param {(turn: number) => Aimed} requestAt
 * @returns {Promise<string[]>}
 */
export async function aim(attacker, requestAt) {
  /** @type {Map<string, number>} */
  const hits = new Map();
  /** @type {Set<string>} */
  const misses = new Set();
  const send = async (/** @type {number} */ turn) => {
    const { method, path, parts, status, text = '' } = requestAt(turn);
    const kind = `${method} ${path.slice(0, 60)} ${status} ${text}`;
    if (!hits.has(kind)) hits.set(kind, 0);
    const response = await attacker.ask(method, path, parts);
    if (response.status === status && response.text.includes(text)) {
      hits.set(kind, (hits.get(kind) ?? 0) + 1);
    } else if (response.status !== 429 && response.status !== 503) {
      misses.add(`${kind}: got ${response.status} ${response.text.slice(0, 200)}`);
    }
  };
  // On a busy machine, a short run may end before its first response.
  await send(0);
  await attacker.repeat(width, (turn) => send(turn + 1));
  const reached = [...hits].filter(([, count]) => count > 0).length;
  if (reached === 0) misses.add('No request got the expected response.');
  return [...misses];
}
