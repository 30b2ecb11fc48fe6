/** What a thousand sandboxes take in which every area was written to. */

import { startProgram } from '../start-program.js';

const sandboxes = 1000;
const atATime = 20;

export const about = 'one process, something written by every area in each sandbox';

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const program = await startProgram();
  try {
    // Loads what the areas load when first used, so that only the sandboxes are counted.
    await writeEverywhere(program.url, 'first');
    const before = program.residentMebibytes();
    for (let first = 0; first < sandboxes; first += atATime) {
      const names = Array.from({ length: atATime }, (_, index) => `sandbox-${first + index}`);
      await Promise.all(names.map((name) => writeEverywhere(program.url, name)));
    }
    const after = program.residentMebibytes();
    const each = ((after - before) * 1024) / sandboxes;
    return [
      ['memory before (RSS)', `${before.toFixed(1)} MiB`],
      [`with ${sandboxes.toLocaleString('en')} written sandboxes`, `${after.toFixed(1)} MiB`],
      ['for each', `${each.toFixed(1)} KiB`],
    ];
  } finally {
    program.stop();
  }
}

/**
 * @param {string} url
 * @param {string} sandbox
 */
async function writeEverywhere(url, sandbox) {
  const event = { name: sandbox, startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' };
  const query = `mutation {
    createUser(name: "${sandbox}", job: "J", city: "C") { id }
    addTodo(title: "T", userId: 1, priority: "low") { id }
    deleteTodo(id: 1)
  }`;
  await send('POST', '/graphql', { query });
  await send('POST', '/api/Events', event);
  await send('PATCH', '/api/Books/1', { title: sandbox });
  await send('GET', '/api/RateLimit');
  await send('GET', '/api/auth/csrf/token');
  await send('POST', '/api/auth/jwt/login', { username: 'user', password: 'user-secret' });
  await send('PUT', '/api/sandbox/clock', { offsetSeconds: 1 });
  const bin = await send('POST', '/api/webhooks/bins', { name: sandbox });
  await send('POST', `/api/webhooks/${bin.id}`, { sandbox });

  /** @type {(method: string, path: string, json?: unknown) => Promise<any>} */
  async function send(method, path, json) {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-sandbox': sandbox, 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}.`);
    return response.json();
  }
}
