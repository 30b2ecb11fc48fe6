import { expect, test } from 'vitest';
import { highlightCode } from './highlight-code.js';

test.each([
  ['shell', "curl -i 'a b' \\\n  -H 'it'\\''s'", '<i class="k">curl</i> <i class="o">-i</i>'],
  ['javascript', 'const a = await f("x-y");', '<i class="s">&quot;x-y&quot;</i>'],
  ['python', 'for _ in range(6):\n    print("""a\nb""")', '<i class="k">for</i>'],
] as const)('%s: parts are marked, and the text stays as it is', (language, code, part) => {
  const { text } = highlightCode(code, language);
  expect(text).toContain(part);
  const plain = text
    .replace(/<\/?i[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
  expect(plain).toBe(code);
});

test('markup in code stays text', () => {
  const { text } = highlightCode('print("<b>&")  <i>', 'python');
  expect(text).not.toMatch(/<(?!\/?i\b)/);
  expect(text).toContain('&lt;i&gt;');
});
