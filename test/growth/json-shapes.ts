/** JSON texts, well-formed and not, of about a given size. */

import { fill, list, name } from './measured-request.js';

type Shapes = Readonly<Record<string, (size: number) => string>>;

export const jsonShapes: Shapes = {
  names: (size) => `{${list(size / 8, (index) => `"${index.toString(36)}":1`).join()}}`,
  'numbers as names': (size) => `{${list(size / 9, (index) => `"${index}":1`).join()}}`,
  'one name repeated': (size) => `{${fill('"a":1,', size)}"a":1}`,
  'objects of new names': (size) =>
    `[${list(size / 11, (index) => `{"${name(index)}":1}`).join()}]`,
  numbers: (size) => `[${fill('0,', size)}0]`,
  'a long number': (size) => `[1${'0'.repeat(size)}1]`,
  'a long fraction': (size) => `[1.${'0'.repeat(size)}1]`,
  'numbers beyond a double': (size) => `[${fill('1e400,', size)}0]`,
  'lines before such numbers': (size) => `[${'\n'.repeat(size)}${fill('1e400,', 200)}0]`,
  'a long string': (size) => `"${'x'.repeat(size)}"`,
  'escapes and a suspicious number': (size) => `["${fill('\\"', size)}",1e400]`,
  'a deeply nested list': (size) => `${'['.repeat(480)}${fill('0,', size)}0${']'.repeat(480)}`,
  'levels over the limit': (size) => '['.repeat(size),
  'an unclosed list': (size) => `[${fill('0,', size)}`,
  'bad escapes': (size) => `"${fill('\\x', size)}"`,
  'lines before a bad word': (size) => `${'\n'.repeat(size)}x`,
};
