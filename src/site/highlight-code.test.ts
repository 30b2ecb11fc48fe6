import { expect, test } from 'vitest';
import { highlightCode } from './highlight-code.js';

test.each([
  ['shell', "curl -i 'a b' \\\n  -H 'it'\\''s'", { text: 'curl', kind: 'k' }],
  ['shell', "curl -i 'a b'", { text: '-i', kind: 'o' }],
  ['javascript', 'const a = await f("x-y");', { text: '"x-y"', kind: 's' }],
  ['python', 'for _ in range(6):\n    print("""a\nb""")', { text: 'for', kind: 'k' }],
  ['json', '{"a": "b:", "c": [1, null]}', { text: '"a"', kind: 'o' }],
  ['json', '{"a": "b:", "c": [1, null]}', { text: '"b:"', kind: 's' }],
  ['python', 'print("<b>&")  <i>', { text: '"<b>&"', kind: 's' }],
] as const)('%s: parts are marked, and the text is unchanged', (language, code, part) => {
  const parts = highlightCode(code, language);
  expect(parts).toContainEqual(part);
  expect(parts.map(({ text }) => text).join('')).toBe(code);
});
