/**
 * Code generated from requests sends exactly these requests, whatever they contain: each client
 * runs its own.
 */

import { describe, expect } from 'vitest';
import { callOf } from '../../src/describe/snippets/call.js';
import { clients } from '../../src/describe/snippets/clients.js';
import type { Example } from '../../src/kit/example.js';
import { codeRunners, lastStatus } from '../support/code-runners.js';
import { everyThird } from '../support/every-third.js';
import { useService } from '../support/service.js';

const service = useService();

const awkward = [
  `'`,
  `"`,
  `'"'`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: not a template, on purpose
  '$HOME $(date) `date` ${x}',
  '\\ \\n \\\\',
  'a\nb',
  '  lines\n\n"""\n`and`\n',
  'last"',
  '@file',
  '=x',
  '!! # & ; | < > * ? [a] {b} ~ %41',
  'Zürich 日本 🙂',
  '\u2028 \u0007 \t',
  '',
] as const;

interface Echo {
  readonly method: string;
  readonly body: string;
  readonly json?: unknown;
  readonly headers: Record<string, string>;
}

function example(parts: Partial<Example>): Example {
  const response = { status: 200, has: '' };
  return { title: '', method: 'POST', path: '/api/methods/any', response: response, ...parts };
}

/** The request as the service received it. */
async function echoOf(client: (typeof clients)[number], parts: Partial<Example>): Promise<Echo> {
  const code = client.write(callOf(example(parts), service.url));
  const output = await codeRunners[client.id]?.run(code);
  expect(lastStatus(output ?? ''), code).toBe(200);
  return JSON.parse(output?.slice(output.indexOf('{"method"')) ?? '') as Echo;
}

// HTTPie has a special syntax for JSON members.
describe('HTTPie', () => {
  const client = clients.find(({ id }) => id === 'httpie');
  codeRunners.httpie?.test.each(everyThird(awkward))(
    'sends a member with the value %j',
    async (text) => {
      if (client === undefined) throw new Error('HTTPie is no client any more.');
      expect((await echoOf(client, { json: { text, n: [1] } })).json).toEqual({ text, n: [1] });
    },
  );
});

describe.each(clients)('$title', (client) => {
  const run = codeRunners[client.id];
  run?.test('sends JSON with all of these members', async () => {
    const json = {
      list: awkward,
      nested: { "it's": { '': [] } },
      number: -1.5,
      is: true,
      no: null,
    };
    expect((await echoOf(client, { json })).json).toEqual(json);
  });

  run?.test.each(everyThird(awkward.filter((text) => text !== '')))(
    'sends the body %j',
    async (body) => {
      const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
      expect((await echoOf(client, { headers, body })).body).toBe(body);
    },
  );

  run?.test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('sends %s', async (method) => {
    const path = '/api/methods/any?q=a%20b&c=%22';
    expect(await echoOf(client, { method, path })).toMatchObject({
      method,
      query: { q: 'a b', c: '"' },
    });
  });

  run?.test('sends headers unchanged', async () => {
    const headers = { 'X-Quoted': `"it's"`, 'X-Equals': 'a=b:c;d@e', Accept: 'a/b;q="0.5"' };
    const echo = await echoOf(client, { headers, json: 1 });
    for (const [name, value] of Object.entries(headers)) {
      const [, sent] =
        Object.entries(echo.headers).find(
          ([received]) => received.toLowerCase() === name.toLowerCase(),
        ) ?? [];
      expect(sent, name).toBe(value);
    }
  });

  run?.test.each([
    ['demo', 'secret'],
    [`it's`, `"$x" \\ y:z`],
    ['Zoë', 'pä ss 🙂'],
  ])('logs in as %j with %j', async (username, password) => {
    const path = `/api/auth/basic/${encodeURIComponent(username)}/${encodeURIComponent(password)}`;
    const parts = { method: 'GET', path, user: { username, password } };
    const code = client.write(callOf(example(parts), service.url));
    const output = (await run?.run(code)) ?? '';
    expect(lastStatus(output), code).toBe(200);
  });

  run?.test('sends the given number of requests', async () => {
    const headers = { 'X-Client-Id': client.id };
    const parts = { method: 'GET', path: '/api/RateLimit', headers, times: 6 };
    const output = (await run?.run(client.write(callOf(example(parts), service.url)))) ?? '';
    expect(output.match(/"used":5/g)).toHaveLength(1);
    expect(lastStatus(output)).toBe(429);
  });
});
