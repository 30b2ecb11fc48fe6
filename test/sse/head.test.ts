/** HEAD of every event stream has the headers of GET, and neither runs the stream nor holds anything. */

import { afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { HeldRequests } from '../../src/http/held-requests.js';
import { newClass } from '../classes/school.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const kinds = [
  ...['comments', 'multiline', 'cr', 'lf', 'crlf', 'bom', 'no-colon', 'empty-data', 'nul-id'],
  ...['bad-retry', 'split-utf8', 'long-line', 'wrong-type', 'error-middle'],
];

interface Stream {
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** By the path in the description of the service. */
const streams: Readonly<Record<string, () => Promise<Stream> | Stream>> = {
  '/api/sse/clock': () => ({ target: '/api/sse/clock?interval=60' }),
  '/api/sse/tokens': () => ({ target: '/api/sse/tokens?interval=10' }),
  '/api/sse/changes': () => ({ target: '/api/sse/changes?collection=books' }),
  '/graphql': () => ({
    target: '/graphql?query=subscription{countdown(from:3)}',
    headers: { accept: 'text/event-stream' },
  }),
  '/mcp/sse': () => ({ target: '/mcp/sse', headers: { accept: 'text/event-stream' } }),
  '/api/webhooks/bins/{id}/events': async () => {
    const headers = { 'X-Sandbox': 'head-of-streams' };
    const { json } = await send('POST /api/webhooks/bins', { json: {}, headers });
    return { target: `/api/webhooks/bins/${json.id}/events`, headers };
  },
  '/api/webhooks/subscriptions/{id}/deliveries/stream': async () => {
    const headers = { 'X-Sandbox': 'head-of-deliveries' };
    const json = { events: ['*'], scheme: 'standard-webhooks' };
    const made = await send('POST /api/webhooks/subscriptions', { json, headers });
    return { target: `/api/webhooks/subscriptions/${made.json.id}/deliveries/stream`, headers };
  },
  '/api/classes/{id}/events': async () => {
    const { path, teacherKey } = await newClass(service);
    return { target: `${path}/events`, headers: { 'X-Teacher-Key': teacherKey } };
  },
};

/** Paths whose HEAD is rejected without a session. */
const rejecting = ['/mcp'];

let held: MockInstance;
beforeEach(() => {
  held = vi.spyOn(HeldRequests.prototype, 'holdUntilClosed');
});
afterEach(() => held.mockRestore());

let described: string[] = [];
beforeAll(async () => {
  const { json } = await send('GET /openapi.json');
  described = Object.entries<Record<string, { responses?: object }>>(json.paths)
    .filter(([, { get }]) => {
      const { parameters: _, ...spoken } = { parameters: [], ...get };
      const names = [...JSON.stringify(spoken).matchAll(/#\/components\/responses\/([^"]+)/g)];
      const shared = names.map(([, name = '']) => json.components.responses[name]);
      return JSON.stringify([get?.responses, shared]).includes('text/event-stream');
    })
    .map(([path]) => path);
});

test('the list has every path whose GET streams events', () => {
  const known = [...Object.keys(streams), '/api/sse/variants/{kind}', ...rejecting];
  expect(described).toContain('/api/sse/clock');
  expect(known).toEqual(expect.arrayContaining(described));
});

async function expectOnlyHead({ target, headers = {} }: Stream, type: string) {
  const { status, headers: received, text } = await send(`HEAD ${target}`, { headers });
  expect([status, received['content-type'], text]).toEqual([200, type, '']);
  expect(held).not.toHaveBeenCalled();
}

const events = 'text/event-stream; charset=utf-8';

test.each(Object.entries(streams))('%s', async (_path, prepare) => {
  const stream = await prepare();
  held.mockClear();
  await expectOnlyHead(stream, events);
});

test.each(kinds)('the variant %s', async (kind) => {
  const type = kind === 'wrong-type' ? 'text/plain; charset=utf-8' : events;
  await expectOnlyHead({ target: `/api/sse/variants/${kind}` }, type);
});

test('a variant that fails before it begins', async () => {
  expect((await send('HEAD /api/sse/variants/error-before')).status).toBe(503);
  expect(held).not.toHaveBeenCalled();
});

test.each(rejecting)('%s is rejected', async (path) => {
  const headers = { accept: 'text/event-stream' };
  expect((await send(`HEAD ${path}`, { headers })).status).toBeGreaterThanOrEqual(400);
  expect(held).not.toHaveBeenCalled();
});
