import fc from 'fast-check';
import { expect, test } from 'vitest';
import { element, escapeSvgText, textElement } from './svg.js';

test.each([
  [
    'markup',
    '<script>alert("&\'")</script>',
    '&lt;script&gt;alert(&quot;&amp;&#39;&quot;)&lt;/script&gt;',
  ],
  ['what is escaped already', '&amp;', '&amp;amp;'],
  ['a control character', 'a\u0000\u0008b\tc', 'ab\tc'],
  ['half a surrogate pair', 'a\ud83db', 'ab'],
  ['an emoji', 'a😀', 'a😀'],
  ['a character that XML forbids', 'a\uffffb', 'ab'],
])('%s is made harmless', (_case, text, escaped) => {
  expect(escapeSvgText(text)).toBe(escaped);
});

test('attributes are escaped too, and numbers are short', () => {
  expect(element('a', { href: '"><b', x: 1 / 3, y: -0.001 })).toBe(
    '<a href="&quot;&gt;&lt;b" x="0.33" y="0"/>',
  );
});

test('an element contains exactly the text, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(textElement('t', {}, text)).toMatch(/^<t>[^<>]*<\/t>$/);
    }),
  );
});
