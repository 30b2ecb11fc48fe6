import { expect, test } from 'vitest';
import { parseMetadata } from './parse-metadata.js';

test.each([
  ['nothing', '', {}],
  ['a name', `filename ${btoa('a.txt')}`, { filename: 'a.txt' }],
  [
    'two',
    `filename ${btoa('a b')},filetype ${btoa('text/plain')}`,
    { filename: 'a b', filetype: 'text/plain' },
  ],
  ['a name without a value', 'is_confidential', { is_confidential: '' }],
  ['non-ASCII letters', `filename ${Buffer.from('é').toString('base64')}`, { filename: 'é' }],
  ['bytes that are not text', 'x /w==', { x: '' }],
])('%s', (_name, header, values) => {
  expect(Object.fromEntries(parseMetadata(header))).toEqual(values);
});

test.each([
  ['invalid base64', 'filename ä'],
  ['two spaces', 'filename  YQ=='],
  ['a name that occurs twice', 'a YQ==,a YQ=='],
  ['an empty element', 'a YQ==,,b YQ=='],
  ['too much', `a ${'A'.repeat(2000)}`],
])('%s is rejected', (_name, header) => {
  expect(() => parseMetadata(header)).toThrow();
});
