/** Solutions of the track streams. */

import { bearer, type Call, headers, type Solutions } from './solution.js';

const clock = 'GET /api/sse/clock?count=3&interval=0';
const events = { Accept: 'text/event-stream' };
const countdown = { query: 'subscription { countdown(from: 1, interval: 0.1) }' };
const open = (call: Call, path: string, more: Readonly<Record<string, string>> = {}) =>
  call.upgrade(path, more);
const ticketOf = async (call: Call) =>
  (await call('POST /api/ws/tickets', headers(bearer('demo-user-token')))).json.ticket;

export const streamsSolutions: Solutions = {
  'streams-events': {
    solve: (call) => call(clock, headers(events)),
    misses: [
      [/Accept does not/, (call) => call(clock)],
      [/count=3/, (call) => call('GET /api/sse/clock?count=1&interval=0', headers(events))],
    ],
  },
  'streams-resume': {
    solve: async (call) => [
      await call(clock),
      await call(clock, headers({ 'Last-Event-ID': '2' })),
    ],
    misses: [
      [/again without/, async (call) => [await call(clock), await call(clock)]],
      [/First open/, (call) => call(clock, headers({ 'Last-Event-ID': '2' }))],
    ],
  },
  'streams-done': {
    solve: (call) => call(clock, headers({ 'Last-Event-ID': '3' })),
    misses: [[/further events/, (call) => call(clock, headers({ 'Last-Event-ID': '1' }))]],
  },
  'streams-lines': {
    solve: (call) => call('GET /api/http/stream/5'),
    misses: [[/Request 5 lines/, (call) => call('GET /api/http/stream/3')]],
  },
  'streams-trailers': {
    solve: (call) => call('GET /api/http/trailers', headers({ TE: 'trailers', Connection: 'TE' })),
    misses: [[/no TE/, (call) => call('GET /api/http/trailers')]],
  },
  'streams-chunked': {
    solve: (call) =>
      call('POST /api/methods/post', { body: 'x', ...headers({ 'Transfer-Encoding': 'chunked' }) }),
    misses: [[/Content-Length/, (call) => call('POST /api/methods/post', { body: 'x' })]],
  },
  'streams-websocket': {
    solve: (call) => open(call, '/api/ws/echo'),
    misses: [[/plain GET/, (call) => call('GET /api/ws/echo')]],
  },
  'streams-subprotocol': {
    solve: (call) => open(call, '/api/ws/protocols', { 'Sec-WebSocket-Protocol': 'chat.v1' }),
    misses: [
      [/no subprotocol/, (call) => open(call, '/api/ws/protocols')],
      [
        /supports none/,
        (call) => open(call, '/api/ws/protocols', { 'Sec-WebSocket-Protocol': 'chat.v3' }),
      ],
    ],
  },
  'streams-ticket': {
    solve: async (call) => open(call, `/api/ws/auth?ticket=${await ticketOf(call)}`),
    misses: [
      [/has no ticket/, async (call) => [await ticketOf(call), await open(call, '/api/ws/auth')]],
    ],
  },
  'streams-subscription': {
    solve: (call) => call('POST /graphql', { json: countdown, ...headers(events) }),
    misses: [
      [
        /not a subscription/,
        (call) => call('POST /graphql', { json: { query: '{ __typename }' } }),
      ],
    ],
  },
};
