/** Clients over HTTP that are right, some of them unusual, and clients that are wrong. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { GivenRule } from '../../src/faults/plan/fault-plan.js';
import type { Verdict } from '../../src/kit/verdict/verdict.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();
const { send } = service;

interface Caller {
  readonly ask: (target: string, options?: SendOptions) => Promise<number>;
  readonly sandbox: Readonly<Record<string, string>>;
}

/** Carries out requests under a plan, and returns the rules that they reached. */
async function outcomesOf(
  sequence: GivenRule['sequence'],
  run: (caller: Caller) => Promise<unknown>,
): Promise<Readonly<Record<string, string>>> {
  const sandbox = { 'x-sandbox': `lawful-${randomUUID()}` };
  const json = { rules: [{ sequence }] };
  expect((await send('PUT /api/sandbox/faults', { headers: sandbox, json })).status).toBe(200);
  const ask: Caller['ask'] = async (target, options = {}) => {
    const headers = { ...sandbox, ...(options.headers as Record<string, string>) };
    return (await send(target, { ...options, headers })).status;
  };
  await run({ ask, sandbox });
  const log = (await send('GET /api/sandbox/faults/log', { headers: sandbox })).json;
  for (const { verdict } of log.series) {
    expect(verdict.honouredRetryAfter?.waitedMs ?? 0).toBeGreaterThanOrEqual(0);
  }
  const reached = log.verdicts.filter(({ outcome }: Verdict) => outcome !== 'not-reached');
  return Object.fromEntries(reached.map(({ rule, outcome }: Verdict) => [rule, outcome]));
}

const times = (count: number, fault: GivenRule['sequence'][number]) => Array(count).fill(fault);
const rejected = { status: 429, retryAfter: 2, delayMs: 300 };
const lost = { status: 503, after: true };
const book = { json: { title: 'A', author: 'B', isbn: '9780000000002', price: 1 } };
const query = { json: { query: '{ books(limit: 1) { title } }' } };
const envelope = {
  headers: { 'Content-Type': 'text/xml' },
  body: '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body/></e:Envelope>',
};

/** Sends a request again after a pause in which it cannot have crossed the response. */
async function twice(ask: () => Promise<unknown>) {
  await ask();
  await sleep(60);
  await ask();
}

describe('is not blamed:', () => {
  test.each<[string, GivenRule['sequence'], (caller: Caller) => Promise<unknown>]>([
    [
      'three requests in parallel',
      times(3, rejected),
      ({ ask }) => Promise.all([1, 2, 3].map(() => ask('GET /api/Books/1'))),
    ],
    [
      'three POSTs of one body in parallel',
      times(3, { ...lost, delayMs: 100 }),
      ({ ask }) => Promise.all([1, 2, 3].map(() => ask('POST /api/methods/any', book))),
    ],
    [
      'two requests of one connection that are sent together',
      times(2, { status: 503 }),
      async ({ sandbox }) => {
        const connection = openConnection(service.url);
        const text = requestText('POST /api/methods/any', { ...sandbox, 'content-length': '1' });
        connection.send(`${text}a${text}a`);
        await expect.poll(() => `${connection.received()}`.split('HTTP/1.1').length).toBe(3);
        connection.socket.destroy();
      },
    ],
    [
      'three queries',
      times(3, { status: 429, retryAfter: 2 }),
      async ({ ask }) => {
        for (const each of ['a', 'b', 'c']) await ask(`GET /api/Books?q=${each}`);
      },
    ],
    [
      'two books',
      times(2, lost),
      async ({ ask }) => {
        await ask('POST /api/Books', book);
        await ask('POST /api/Books', { json: { ...book.json, title: 'C' } });
      },
    ],
    [
      'a PATCH with a condition',
      times(1, { status: 503 }),
      ({ ask }) =>
        twice(() => ask('PATCH /api/Books/1', { headers: { 'if-match': '"a"' }, json: {} })),
    ],
    [
      'a GraphQL query',
      times(1, { status: 503 }),
      ({ ask }) => twice(() => ask('POST /graphql', query)),
    ],
    [
      'a SOAP call that reads',
      times(1, { status: 503 }),
      ({ ask }) => twice(() => ask('POST /api/soap/countries', envelope)),
    ],
    [
      'a POST after 429',
      times(1, { status: 429 }),
      ({ ask }) => twice(() => ask('POST /api/methods/any', book)),
    ],
    [
      'another client',
      times(2, lost),
      async ({ ask }) => {
        for (const user of ['a', 'b']) {
          const headers = { authorization: `Bearer ${user}` };
          await ask('POST /api/methods/any', { ...book, headers });
        }
      },
    ],
    [
      'a key in quotes, and the same key without',
      times(1, lost),
      async ({ ask }) => {
        for (const key of ['"k"', 'k']) {
          await ask('POST /api/methods/any', { ...book, headers: { 'Idempotency-Key': key } });
        }
      },
    ],
  ])('%s', async (_name, sequence, run) => {
    const outcomes = Object.values(await outcomesOf(sequence, run));
    expect(outcomes.filter((each) => each === 'broken' || each === 'against-advice')).toEqual([]);
  });
});

describe('is named:', () => {
  const postTwice =
    (options: SendOptions, other = options) =>
    async ({ ask }: Caller) => {
      await ask('POST /api/methods/any', options);
      await sleep(60);
      await ask('POST /api/methods/any', other);
    };
  const withKey = (key: string) => ({ ...book, headers: { 'Idempotency-Key': key } });

  test.each<[string, GivenRule['sequence'], (caller: Caller) => Promise<unknown>, object]>([
    ['a POST again', times(2, lost), postTwice(book), { 'safe-repetition': 'broken' }],
    [
      'a new key for each attempt',
      times(2, lost),
      postTwice(withKey('k'), withKey('l')),
      { 'safe-repetition': 'broken' },
    ],
    ['an empty key', times(2, lost), postTwice(withKey('')), { 'safe-repetition': 'broken' }],
    [
      'a malformed key',
      times(2, lost),
      postTwice(withKey('a, b')),
      { 'safe-repetition': 'broken' },
    ],
    [
      'another body under one key',
      times(2, lost),
      postTwice(withKey('k'), { ...withKey('k'), json: { title: 'C' } }),
      { 'safe-repetition': 'kept', 'same-body': 'broken' },
    ],
    [
      'a GraphQL mutation again',
      times(2, lost),
      ({ ask }) =>
        twice(() =>
          ask('POST /graphql', { json: { query: 'mutation { toggleTodo(id: 1) { id } }' } }),
        ),
      { 'safe-repetition': 'broken' },
    ],
    [
      'a 404 again',
      times(2, { status: 404 }),
      ({ ask }) => twice(() => ask('GET /api/Books/1')),
      { 'client-errors-not-repeated': 'against-advice' },
    ],
    [
      'a request earlier than Retry-After says',
      times(2, { status: 503, retryAfter: 2 }),
      ({ ask }) => twice(() => ask('GET /api/Books/1')),
      { 'retry-after': 'against-advice' },
    ],
  ])('%s', async (_name, sequence, run, expected) => {
    expect(await outcomesOf(sequence, run)).toMatchObject(expected);
  });
});

test('a DELETE whose response is lost has succeeded when the record is gone', async () => {
  const headers = { 'x-sandbox': `lawful-${randomUUID()}` };
  const json = { rules: [{ match: { method: 'DELETE' }, sequence: [lost] }] };
  await send('PUT /api/sandbox/faults', { headers, json });
  await send('DELETE /api/Books/1', { headers });
  expect((await send('DELETE /api/Books/1', { headers })).status).toBe(404);
  const { series } = (await send('GET /api/sandbox/faults/log', { headers })).json;
  expect(series).toMatchObject([{ verdict: { succeeded: true, gaveUpAfter: null } }]);
});
