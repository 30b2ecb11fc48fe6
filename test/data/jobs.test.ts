/** Work that is done later, and the responses to a client that waits for it. */

import { expect, test } from 'vitest';
import { maxJobs } from '../../src/areas/data/jobs/jobs.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();

const book = {
  title: 'Emma',
  author: 'Jane Austen',
  isbn: '9780306406157',
  publishedYear: 1815,
  pages: 474,
};

function inSandbox(name: string) {
  const send = (target: string, { headers, ...options }: SendOptions = {}) => {
    const all = { 'X-Sandbox': `jobs-${name}`, ...(headers as Record<string, string>) };
    return service.send(target, { ...options, headers: all });
  };
  const setClock = (offsetSeconds: number) =>
    send('PUT /api/sandbox/clock', { json: { offsetSeconds } });
  const later = async (target: string, options: SendOptions = {}) => {
    const headers = { Prefer: 'respond-async', ...(options.headers as Record<string, string>) };
    const response = await send(target, { ...options, headers });
    expect(response.status, response.text).toBe(202);
    return new URL(response.headers.location ?? '').pathname;
  };
  return { send, setClock, later };
}

test('a standalone job has the result of its request', async () => {
  const { send, setClock } = inSandbox('alone');
  const made = await send('POST /api/jobs', { json: { seconds: 20, result: { total: 3 } } });
  expect([made.status, made.json.status, made.headers['retry-after']]).toEqual([
    202,
    'queued',
    '20',
  ]);
  const path = new URL(made.headers.location ?? '').pathname;
  expect((await send(`GET ${path}/result`)).status).toBe(404);
  await setClock(10);
  const running = (await send(`GET ${path}`)).json;
  expect(running.status).toBe('running');
  expect(running.progress).toBeGreaterThanOrEqual(50);
  await setClock(20);
  const done = await send(`GET ${path}`);
  expect(done.status).toBe(303);
  expect(done.json).toMatchObject({
    status: 'succeeded',
    progress: 100,
    result: done.headers.location,
  });
  expect((await send(`GET ${path}/result`)).json).toEqual({ total: 3 });
  await setClock(20 + 24 * 60 * 60);
  expect((await send(`GET ${path}`)).status).toBe(404);
});

test.each([
  ['no body', undefined, 202],
  ['an object', {}, 202],
  ['a list', [], 400],
  ['too long a delay', { seconds: 3_601 }, 400],
  ['a negative delay', { seconds: -1 }, 400],
  ['a string for a boolean', { fails: 'yes' }, 400],
])('a job from %s is %3$i', async (_name, json, status) => {
  const { send } = inSandbox('sent');
  expect((await send('POST /api/jobs', json === undefined ? {} : { json })).status).toBe(status);
});

test('unknown members are rejected for strict clients', async () => {
  const { send } = inSandbox('strict');
  const json = { seconds: 1, colour: 'red' };
  expect((await send('POST /api/jobs', { json })).status).toBe(202);
  const headers = { Prefer: 'handling=strict' };
  const { status, json: error } = await send('POST /api/jobs', { json, headers });
  expect([status, error.errors]).toMatchObject([400, [{ field: 'colour' }]]);
});

test('a cancelled or failed job does nothing', async () => {
  const { send, setClock, later } = inSandbox('not-done');
  const cancelled = await later('POST /api/Books', { json: book });
  expect((await send(`DELETE ${cancelled}`)).json.status).toBe('cancelled');
  expect((await send(`DELETE ${cancelled}`)).status).toBe(409);
  const failing = await later('POST /api/Books?jobFails=true', { json: book });
  await setClock(6);
  expect((await send('GET /api/Books/count')).json.count).toBe(25);
  const failed = await send(`GET ${failing}`);
  expect([failed.status, failed.json.status, failed.json.error.status]).toEqual([
    200,
    'failed',
    500,
  ]);
  expect((await send(`GET ${cancelled}`)).json).toMatchObject({
    status: 'cancelled',
    result: null,
  });
  expect((await send('GET /api/jobs/none')).status).toBe(404);
  expect((await send('DELETE /api/jobs/none')).status).toBe(404);
});

test('errors that are known at once are responses; later errors are in the job', async () => {
  const { send, setClock, later } = inSandbox('wrong');
  const headers = { Prefer: 'respond-async' };
  expect((await send('PATCH /api/Books/99', { headers, json: { price: 1 } })).status).toBe(404);
  expect((await send('PATCH /api/Books/1', { headers, json: { price: -1 } })).status).toBe(400);
  const stale = { ...headers, 'If-Match': '"old"' };
  expect((await send('DELETE /api/Books/1', { headers: stale })).status).toBe(412);
  const first = await later('DELETE /api/Books/1?jobSeconds=10');
  const second = await later('PATCH /api/Books/1?jobSeconds=11', { json: { price: 1 } });
  await setClock(60);
  expect((await send('GET /api/Books/1')).status).toBe(404);
  expect((await send(`GET ${first}`)).json).toMatchObject({ status: 'succeeded', result: null });
  expect((await send(`GET ${second}`)).json).toMatchObject({
    status: 'failed',
    error: { status: 404 },
  });
});

test('GraphQL sees the results of due jobs as REST does', async () => {
  const { send, setClock, later } = inSandbox('graphql');
  await later('DELETE /api/Books/1');
  await setClock(6);
  const { json } = await send('POST /graphql', { json: { query: '{ book(id: 1) { id } }' } });
  expect(json.data).toEqual({ book: null });
});

test('a job runs even if no client requests it', async () => {
  const { send, later } = inSandbox('timer');
  const { token } = (await send('GET /api/Books/changes')).json;
  await later('POST /api/Books?jobSeconds=0.3', { json: book });
  // The job only waits; waiting does no work by itself.
  const told = await send(`GET /api/Books/changes?since=${token}&wait=60`);
  expect(told.json.changes).toMatchObject([{ id: 26, kind: 'created' }]);
});

test('a client that waits long enough gets the response as if there had been no job', async () => {
  const { send } = inSandbox('waits');
  const headers = { Prefer: 'respond-async, wait=60' };
  const made = await send('POST /api/Books?jobSeconds=0.2', { headers, json: book });
  expect([made.status, made.json.id]).toEqual([201, 26]);
  expect(made.headers.location).toBe(`${service.url}/api/Books/26`);
  expect(made.headers['preference-applied']).toBe('wait=60');
  const gone = await send('DELETE /api/Books/26?jobSeconds=0.1', { headers });
  expect(gone.status).toBe(204);
  const failed = await send('DELETE /api/Books/1?jobSeconds=0.1&jobFails=true', { headers });
  expect(failed.status).toBe(500);
  const short = await send('POST /api/Books?jobSeconds=600', {
    headers: { Prefer: 'respond-async, wait=0' },
    json: book,
  });
  expect([short.status, short.headers['preference-applied']]).toEqual([
    202,
    'respond-async, wait=0',
  ]);
});

test('a key of a waiting request is 409 until it is over', async () => {
  const { send, setClock } = inSandbox('still-waiting');
  const headers = { Prefer: 'respond-async, wait=60', 'Idempotency-Key': 'once' };
  const ask = () => send('POST /api/Books?jobSeconds=30', { headers, json: book });
  const asked = [ask(), ask()];
  // Whichever is second.
  expect((await Promise.race(asked)).status).toBe(409);
  await setClock(31);
  const responses = await Promise.all(asked);
  const [first] = responses.filter(({ status }) => status !== 409) as [(typeof responses)[number]];
  expect([first.status, first.json.id]).toEqual([201, 26]);
  const again = await ask();
  expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
    201,
    first.text,
    'true',
  ]);
});

test('two requests with one key and a delay create one job', async () => {
  const { send, setClock } = inSandbox('promise');
  const headers = { Prefer: 'respond-async', 'Idempotency-Key': 'once' };
  const patch = {
    headers: { ...headers, 'Content-Type': 'application/json-patch+json' },
    json: [
      { op: 'test', path: '/price', value: 12.99 },
      { op: 'replace', path: '/price', value: 1 },
    ],
  };
  const first = await send('PATCH /api/Books/1', patch);
  await setClock(6);
  expect((await send('GET /api/Books/1')).json.price).toBe(1);
  const again = await send('PATCH /api/Books/1', patch);
  expect([again.status, again.text]).toEqual([202, first.text]);
});

test('a batch can be a job, with its results below it', async () => {
  const { send, setClock, later } = inSandbox('batch');
  const operations = [
    { method: 'POST', body: book },
    { method: 'DELETE', id: 99 },
  ];
  const job = await later('POST /api/Books/batch', { json: { operations } });
  await setClock(6);
  const { headers } = await send(`GET ${job}`);
  const { json } = await send(`GET ${new URL(headers.location ?? '').pathname}`);
  expect(json.results.map(({ status }: { status: number }) => status)).toEqual([201, 404]);
});

test('a sandbox has a limit of jobs, and drops finished ones first', async () => {
  const { send, setClock } = inSandbox('full');
  const make = (seconds: number) => send('POST /api/jobs', { json: { seconds } });
  await Promise.all(Array.from({ length: maxJobs }, () => make(100)));
  const { status, json } = await make(100);
  expect([status, json.message]).toMatchObject([
    409,
    expect.stringContaining(`${maxJobs} unfinished jobs`),
  ]);
  await setClock(100);
  await send('GET /api/Books/1');
  expect((await make(100)).status).toBe(202);
});

test('the size of the work of jobs is limited as well', async () => {
  const { send } = inSandbox('large');
  const json = { seconds: 100, result: 'x'.repeat(900_000) };
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++)
    statuses.push((await send('POST /api/jobs', { json })).status);
  expect(statuses).toEqual([202, 202, 202, 202, 409, 409]);
});
