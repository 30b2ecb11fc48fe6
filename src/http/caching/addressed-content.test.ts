import { expect, test } from 'vitest';
import { addressedContent, placeholderBaseUrl, placeholderHost } from './addressed-content.js';

function textAt(make: () => string | Promise<string>, placeholder?: string) {
  const contentAt = addressedContent('text/plain', make, placeholder);
  return async (baseUrl: string) => String((await contentAt(baseUrl)).bytes);
}

test.each([
  ['a name', 'http://api.example', 'http://api.example/a, api.example'],
  ['a port', 'http://localhost:3000', 'http://localhost:3000/a, localhost:3000'],
  ['another scheme', 'https://api.example', 'https://api.example/a, api.example'],
  ['brackets', 'http://[::1]:3000', 'http://[::1]:3000/a, [::1]:3000'],
  ['a path', 'https://a.example/api/v1', 'https://a.example/api/v1/a, a.example'],
  ['a sandbox', 'http://a.example/s/mine', 'http://a.example/s/mine/a, a.example'],
  [
    'the placeholder',
    'http://a.base-url.invalid',
    'http://a.base-url.invalid/a, a.base-url.invalid',
  ],
  ['what replacements mean', "https://a.example/$&/it's", "https://a.example/$&/it's/a, a.example"],
])(
  'a base URL with %s replaces the placeholder, and its host replaces the placeholder host',
  async (_case, url, text) => {
    const at = textAt(() => `${placeholderBaseUrl}/a, ${placeholderHost}`);
    expect(await at(url)).toBe(text);
  },
);

test.each([
  ['nothing', '', ''],
  ['no place', 'a', 'a'],
  ['only places', `${placeholderBaseUrl}${placeholderHost}`, 'http://[::1]:3[::1]:3'],
  ['another scheme', `ws://${placeholderHost}/é`, 'ws://[::1]:3/é'],
])('a text of %s is sent with the base URL filled in', async (_case, text, expected) => {
  expect(await textAt(() => text)('http://[::1]:3')).toBe(expected);
});

test('the text is made once, however many callers wait for it, with any base URL', async () => {
  let count = 0;
  const at = textAt(async () => `${++count} ${placeholderBaseUrl}`);
  const texts = await Promise.all(['http://a', 'http://b', 'http://a'].map(at));
  expect(texts).toEqual(['1 http://a', '1 http://b', '1 http://a']);
});

test('the same base URL gets the same entity tag, also after requests with other base URLs', async () => {
  const contentAt = addressedContent('text/plain', () => placeholderBaseUrl);
  const first = await contentAt('http://a');
  expect(await contentAt('http://a')).toBe(first);
  expect((await contentAt('http://b')).hash).not.toBe(first.hash);
  expect((await contentAt('http://a')).hash).toBe(first.hash);
});

test('a different placeholder can represent the host', async () => {
  const at = textAt(() => "curl 'http://[100::]/'", '[100::]');
  expect(await at('http://[::1]:80')).toBe("curl 'http://[::1]:80/'");
});

test('room is required only for a text that is still to be made', async () => {
  const contentAt = addressedContent('text/plain', () => `${placeholderBaseUrl}/a`);
  const required: number[] = [];
  const requireRoom = (bytes: number) => {
    required.push(bytes);
    if (required.length === 2) throw new Error('no room');
  };
  await contentAt('http://a', requireRoom);
  await contentAt('http://a', requireRoom);
  expect(required).toHaveLength(1);
  await expect(contentAt('http://b', requireRoom)).rejects.toThrow('no room');
  const content = await contentAt('http://b', requireRoom);
  expect(String(content.bytes)).toBe('http://b/a');
});

test('texts that many clients request at once are made in separate turns', async () => {
  let madeInTurn = 0;
  let mostInTurn = 0;
  let isDone = false;
  const beginTurn = () => {
    madeInTurn = 0;
    if (!isDone) setImmediate(beginTurn);
  };
  const contentAt = addressedContent(
    'text/plain',
    () => placeholderBaseUrl,
    undefined,
    (text) => {
      mostInTurn = Math.max(mostInTurn, ++madeInTurn);
      // Longer than the work of one turn.
      const end = performance.now() + 3;
      while (performance.now() < end);
      return text;
    },
  );
  await contentAt('http://first');
  beginTurn();
  const urls = Array.from({ length: 20 }, (_, index) => `http://host-${index}`);
  const contents = await Promise.all(urls.map((url) => contentAt(url)));
  isDone = true;
  expect(contents.map(({ bytes }) => String(bytes))).toEqual(urls);
  expect(mostInTurn).toBeLessThanOrEqual(2);
});
