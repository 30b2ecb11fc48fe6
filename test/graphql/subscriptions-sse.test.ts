import { expect, test } from 'vitest';
import { openStream } from '../support/event-source.js';
import { useService } from '../support/service.js';

const service = useService();

const json = { 'Content-Type': 'application/json' };
const events = { ...json, Accept: 'text/event-stream' };

test('a countdown is sent event by event, and completed', async () => {
  const response = await service.send('POST /graphql', {
    json: { query: 'subscription { countdown(from: 2, interval: 0) }' },
    headers: events,
  });
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['x-accel-buffering']).toBe('no');
  expect(response.text).toBe(
    [
      ': still here',
      'event: next\ndata: {"data":{"countdown":2}}',
      'event: next\ndata: {"data":{"countdown":1}}',
      'event: next\ndata: {"data":{"countdown":0}}',
      'event: complete\ndata: \n\n',
    ].join('\n\n'),
  );
});

const oneUser = { query: '{ user(id: 1) { id } }' };
const endless = 'subscription { countdown(from: 1000, interval: 60) }';

test.each([
  ['only events', 'text/event-stream', 'text/event-stream'],
  ['preferably events', 'application/json;q=0.5, text/event-stream', 'text/event-stream'],
  ['either', 'application/json, text/event-stream, multipart/mixed', 'application/json'],
  ['anything', 'text/event-stream, */*', 'application/graphql-response+json'],
])('a query whose client accepts %s', async (_name, accept, type) => {
  const response = await service.send('POST /graphql', {
    json: oneUser,
    headers: { ...json, Accept: accept },
  });
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`);
  expect(response.text).toContain('{"data":{"user":{"id":1}}}');
});

test.each([
  [undefined, 400],
  ['*/*', 400],
  ['application/json', 200],
])(
  'a subscription whose client accepts %s is rejected, and the response says how to request it',
  async (accept, status) => {
    const response = await service.send('POST /graphql', {
      json: { query: endless },
      headers: { ...json, ...(accept && { Accept: accept }) },
    });
    expect(response.status).toBe(status);
    expect(response.json.errors[0].extensions.code).toBe('NOT_ACCEPTABLE');
    expect(response.json.errors[0].message).toContain('text/event-stream');
  },
);

test.each([
  ['a syntax error', '{', 'SYNTAX_ERROR'],
  ['a number out of range', 'subscription { countdown(from: -1) }', 'BAD_USER_INPUT'],
  [
    'a null where none is allowed',
    'subscription ($n: Int = 1) { countdown(from: $n) }',
    'BAD_USER_INPUT',
  ],
])('%s is sent as an event', async (_name, query, code) => {
  const response = await service.send('POST /graphql', {
    json: { query, variables: { n: null } },
    headers: events,
  });
  expect(response.status).toBe(200);
  const [, next = '', complete] = response.text.split('\n\n');
  const [error] = JSON.parse(next.replace('event: next\ndata: ', '')).errors;
  expect(error.extensions.code).toBe(code);
  expect(complete).toBe('event: complete\ndata: ');
});

test.each([
  ['no query', 'POST /graphql', { json: {}, headers: events }, 400],
  [
    'a mutation by GET',
    `GET /graphql?query=${encodeURIComponent('mutation { deleteTodo(id: 1) }')}`,
    { headers: events },
    405,
  ],
  ['an unknown stream', 'GET /graphql?token=none', { headers: events }, 404],
  ['the end of an unknown operation', 'DELETE /graphql', {}, 400],
  ['the end of an operation without a stream', 'DELETE /graphql?operationId=1', {}, 400],
  [
    'the end of an operation of an unknown stream',
    'DELETE /graphql?operationId=1&token=none',
    {},
    404,
  ],
  [
    'an operation of an unknown stream',
    'POST /graphql?token=none',
    { json: { ...oneUser, extensions: { operationId: '1' } } },
    404,
  ],
  ['an operation without an id', 'POST /graphql?token=none', { json: oneUser }, 400],
  [
    'an id that is not a string',
    'POST /graphql?token=none',
    { json: { ...oneUser, extensions: { operationId: 1 } } },
    400,
  ],
  [
    'a malformed operation of a stream',
    'POST /graphql?token=none',
    { json: { query: '{', extensions: { operationId: '1' } } },
    400,
  ],
  [
    'a stream for a client that accepts only JSON',
    'PUT /graphql',
    { headers: { Accept: 'application/json' } },
    406,
  ],
] as const)('%s → %s', async (_name, target, options, status) => {
  expect((await service.send(target, options)).status).toBe(status);
});

test('HEAD has the headers of a stream and starts none', async () => {
  const target = `HEAD /graphql?query=${encodeURIComponent(endless)}`;
  const response = await service.send(target, { headers: events });
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
});

test('a simulated failure and a planned one replace the stream', async () => {
  const asked = await service.send('POST /graphql?error=503', {
    json: { query: endless },
    headers: events,
  });
  expect(asked.status).toBe(503);
  await service.send('PUT /s/subs-plan/api/sandbox/faults', {
    json: { rules: [{ sequence: [{ status: 500 }, { truncate: 30 }] }] },
  });
  const short = { query: 'subscription { countdown(from: 0) }' };
  const planned = await service.send('POST /s/subs-plan/graphql', { json: short, headers: events });
  expect(planned.status).toBe(500);
  const cut = await openStream(service.url, '/s/subs-plan/graphql', { json: short });
  await expect(cut.next()).rejects.toThrow('aborted');
  expect(cut.text().length).toBeLessThanOrEqual(30);
});
