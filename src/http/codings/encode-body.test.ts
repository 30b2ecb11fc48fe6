import { text } from 'node:stream/consumers';
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codingNamed, codingsThere, decodeBody, encodeBody } from './encode-body.js';

const plain = 'Every coding gives back what went in. '.repeat(10_000);

function* slices(): Generator<Buffer> {
  for (let index = 0; index < plain.length; index += 5000) {
    yield Buffer.from(plain.slice(index, index + 5000));
  }
}

test.each(codingsThere)('%s is decoded', async (coding) => {
  expect(await text(decodeBody(encodeBody(slices(), coding), coding))).toBe(plain);
});

test.each([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['raw-deflate', inflateRawSync],
] as const)('%s has the right frame', async (coding, undo) => {
  const chunks: Buffer[] = [];
  for await (const chunk of encodeBody(slices(), coding)) chunks.push(chunk);
  expect(undo(Buffer.concat(chunks)).toString()).toBe(plain);
});

test('invalid data is an error of the stream', async () => {
  await expect(text(decodeBody([Buffer.from('no gzip')], 'gzip'))).rejects.toThrow();
});

test('a body is encoded no further than it is read', async () => {
  let made = 0;
  function* endless(): Generator<Buffer> {
    for (;;) {
      made += 65_536;
      yield Buffer.alloc(65_536, Math.random() < 2 ? `${made} ` : '');
    }
  }
  const coded = encodeBody(endless(), 'gzip');
  await new Promise((resolve) => coded.once('readable', resolve));
  coded.destroy();
  await new Promise((resolve) => coded.once('close', resolve));
  const after = made;
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(after);
});

test.each([
  ['gzip', 'gzip'],
  [' X-GZIP ', 'gzip'],
  ['Br', 'br'],
  ['identity', 'identity'],
  ['compress', undefined],
  ['', undefined],
])('the name %j', (name, coding) => {
  expect(codingNamed(name)).toBe(coding);
});
