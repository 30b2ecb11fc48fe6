/**
 * Rules that depend on time use the clock of the caller's sandbox: when it moves, they expire
 * without waiting.
 */

import { createHmac } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { authenticateByDigest } from '../support/authenticate-by-digest.js';
import { demoCredentials } from '../support/demo-credentials.js';
import { type SendOptions, useService } from '../support/service.js';

const nowMs = Date.UTC(2030, 0, 1);
const service = useService({ now: () => nowMs });
let credentials: Awaited<ReturnType<typeof demoCredentials>>;
beforeAll(async () => {
  credentials = await demoCredentials(service);
});

/** A sandbox whose clock the test moves. */
function newSandbox(name: string) {
  const send = (target: string, { headers = {}, ...options }: SendOptions = {}) =>
    service.send(target, { ...options, headers: { ...headers, 'X-Sandbox': name } });
  async function moveClock(offsetSeconds: number): Promise<void> {
    expect((await send('PUT /api/sandbox/clock', { json: { offsetSeconds } })).status).toBe(200);
  }
  return { send, moveClock };
}

test('a Digest nonce is valid for 300 seconds, and stale then', async () => {
  const { send, moveClock } = newSandbox('digest');
  const uri = '/api/auth/digest';
  const challenge = (await send(`GET ${uri}`)).headers['www-authenticate'] ?? '';
  const use = (nc: number) => {
    const authorization = authenticateByDigest(challenge, { ...credentials.digest, uri, nc });
    return send(`GET ${uri}`, { headers: { authorization } });
  };
  await moveClock(299);
  expect((await use(1)).status).toBe(200);
  await moveClock(300);
  const rejected = await use(2);
  expect(rejected.status).toBe(401);
  expect(rejected.headers['www-authenticate']).toContain('stale=true');
});

test('an HMAC timestamp is valid for 300 seconds before and after', async () => {
  const { send, moveClock } = newSandbox('hmac');
  const timestamp = String(nowMs / 1000);
  const signature = createHmac('sha256', credentials.hmac.secret)
    .update(`${timestamp}.{}`)
    .digest('hex');
  const use = async () =>
    (
      await send('POST /api/auth/hmac', {
        body: '{}',
        headers: { 'X-Timestamp': timestamp, 'X-Signature': signature },
      })
    ).status;
  for (const [offsetSeconds, status] of [
    [-301, 401],
    [-300, 200],
    [300, 200],
    [301, 401],
  ] as const) {
    await moveClock(offsetSeconds);
    expect(await use()).toBe(status);
  }
});

test('a rate window ends 60 seconds after its first request', async () => {
  const { send, moveClock } = newSandbox('window');
  for (let used = 0; used < 5; used++) expect((await send('GET /api/RateLimit')).status).toBe(200);
  await moveClock(59);
  expect((await send('GET /api/RateLimit')).headers['retry-after']).toBe('1');
  await moveClock(60);
  expect((await send('GET /api/RateLimit')).json.used).toBe(1);
});

test('a todo is due seven days after today', async () => {
  const { send, moveClock } = newSandbox('todo');
  await moveClock(24 * 3600);
  const query = 'mutation { addTodo(title: "T", userId: 1, priority: "low") { dueDate } }';
  const { json } = await send('POST /graphql', { json: { query } });
  expect(json.data.addTodo.dueDate).toBe('2030-01-09');
});

test("a capture has the time of its bin's sandbox", async () => {
  const { send, moveClock } = newSandbox('bins');
  await moveClock(-1);
  const { json: bin } = await send('POST /api/webhooks/bins', { json: {} });
  expect(bin.createdAt).toBe('2029-12-31T23:59:59.000Z');
  await service.send(`POST /api/webhooks/${bin.id}`);
  const [captured] = (await send(`GET /api/webhooks/bins/${bin.id}/requests`)).json;
  expect(captured.receivedAt).toBe('2029-12-31T23:59:59.000Z');
});

test('a simulated fault ends by itself: the next request without one succeeds', async () => {
  const { send } = newSandbox('faults');
  expect((await send('GET /api/Books/1?error=500')).status).toBe(500);
  expect((await send('GET /api/Books/1?delay=0.01')).headers['x-simulated']).toBe('true');
  const { status, headers } = await send('GET /api/Books/1');
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('x-simulated');
});
