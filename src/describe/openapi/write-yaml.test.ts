import { expect, test } from 'vitest';
import { Document, parse } from 'yaml';
import { runInTurns } from '#base/run-steps.js';
import { placeholderBaseUrl } from '#http/caching/addressed-content.js';
import type { JsonObject } from './json.js';
import { writeYaml } from './write-yaml.js';

const values: JsonObject = {
  line: 'a line',
  long: 'word '.repeat(100),
  lines: 'two\nlines',
  indented: '  begins with spaces\nand goes on\n',
  blank: '\n\nbegins with blank lines\n\n  \nand has some\n\n',
  marker: '---\nlooks like a document\n...\n',
  separators: 'a\u2028b\nc\rd\te',
  quotes: `'single' and "double": # no comment`,
  number: '1',
  truth: 'true',
  nothing: '',
  null: null,
  list: [1, 'two', { three: [], four: {} }, ['five']],
  empty: {},
  none: [],
  'a key: with a colon': { '/paths/{id}': 1, '404': 2, '#': { '-': { '? ': 'deep' } } },
  200: { 201: { 202: { 203: 'text\nof lines' } } },
};

const objects: readonly (readonly [string, JsonObject])[] = [
  ['at the top', values],
  ['at depth two', { a: values, b: values }],
  ['at depth three', { a: { b: values, c: values }, d: values }],
  ['at depth four', { a: { b: { c: values } } }],
];

test.each(objects)(
  'writes members %s as the library writes the whole object',
  async (_name, object) => {
    const text = await runInTurns(writeYaml(object));
    const whole = new Document(object, { aliasDuplicateObjects: false });
    expect(text).toBe(whole.toString({ lineWidth: 0 }));
    expect(parse(text)).toEqual(object);
  },
);

test('quotes a base URL, whose host may become an IPv6 address', async () => {
  const object = { a: { b: { c: [placeholderBaseUrl] } } };
  const text = await runInTurns(writeYaml(object));
  expect(text).toBe(`a:\n  b:\n    c:\n      - "${placeholderBaseUrl}"\n`);
});
