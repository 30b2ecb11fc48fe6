/** Malformed escapes in forms and queries, read alike everywhere: URL Standard sections 1.3 and 5.1. */

import { describe, expect, test } from 'vitest';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const sandbox = { ...form, 'X-Sandbox': 'malformed-escapes' };

/** A text and the value of `title` in it. */
const texts: readonly (readonly [sent: string, value: string])[] = [
  ['title=50%+of+caf%C3%A9', '50% of café'],
  ['title=%E9', '\ufffd'],
  ['title=%25E9', '%E9'],
  ['title=abc%def%25ghi%25jkl', 'abc\ufffdf%ghi%jkl'],
  ['title=%ED%A0%80+%zz+%4', '\ufffd\ufffd\ufffd %zz %4'],
  ['titl%65=100%', '100%'],
];

/** Returns `title` of a text that this part of the service has read. */
const readers: Readonly<Record<string, (sent: string) => Promise<unknown>>> = {
  'the form of an echo': async (body) =>
    (await send('POST /api/methods/post', { headers: form, body })).json.form.title,
  'the query of an echo': async (query) =>
    (await sendQuery(`/api/methods/get?${query}`)).query.title,
  'the form of httpbin': async (body) =>
    (await send('POST /httpbin/post', { headers: form, body })).json.form.title,
  'the arguments of httpbin': async (query) =>
    (await sendQuery(`/httpbin/get?${query}`)).args.title,
  'a new record': async (body) =>
    (await send('POST /api/Todos', { headers: sandbox, body: `${body}&userId=1` })).json.title,
  'own data': async (body) => (await send('POST /my/posts', { headers: sandbox, body })).json.title,
  'json-server': async (body) =>
    (await send('POST /json-server/posts', { headers: sandbox, body })).json.title,
  'a captured query': async (query) => {
    const { id } = (await send('POST /api/webhooks/bins', { headers: sandbox })).json;
    await sendQuery(`/api/webhooks/${id}?${query}`);
    return (await send(`GET /api/webhooks/bins/${id}/requests`, { headers: sandbox })).json[0].query
      .title;
  },
};

/** Sends the target unchanged. */
async function sendQuery(target: string) {
  const lines = ['Host: x', 'X-Sandbox: malformed-escapes', 'Connection: close'];
  const { body } = await rawExchange(
    service.url,
    `GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
  );
  return body === '' ? undefined : JSON.parse(body);
}

describe.each(Object.entries(readers))('%s', (_name, read) => {
  test.each(texts)('reads %s', async (sent, value) => {
    await send('PUT /api/sandbox/data', {
      headers: { 'X-Sandbox': 'malformed-escapes' },
      json: { posts: [] },
    });
    expect(await read(sent)).toBe(value);
    expect(new URLSearchParams(sent).get('title')).toBe(value);
  });
});

test('names that differ stay two', async () => {
  const body = 'n%E9=1&n%25E9=2';
  const { json } = await send('POST /api/methods/post', { headers: form, body });
  expect(json.form).toEqual({ 'n\ufffd': '1', 'n%E9': '2' });
});

test.each([
  ['a=50%+of+caf%C3%A9', 'character 5, which begins "%+of+caf%C3%"'],
  ['a=1&b=%E9', 'character 7, which begins "%E9"'],
  ['n%=1', 'character 2, which begins "%=1"'],
])('the echo of the form %s says where it is malformed', async (body, place) => {
  const { json } = await send('POST /api/methods/post', { headers: form, body });
  expect(json.parseError).toContain(`The form is malformed at ${place}`);
  const right = await send('POST /api/methods/post', { headers: form, body: 'a=%25E9' });
  expect(right.json).not.toHaveProperty('parseError');
});

test('a filter is validated: a malformed one is 400', async () => {
  const { status, json } = await send('GET /api/Books?q=%E9');
  expect([status, json.message]).toEqual([400, expect.stringContaining('character 3')]);
});
