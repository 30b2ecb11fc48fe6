import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributeOf, parseXml } from './parse-xml.js';
import { escapeXml } from './text.js';

test.each([
  ['plain', 'plain'],
  ['a & b < c > "d"', 'a &amp; b &lt; c &gt; &quot;d&quot;'],
  [']]>', ']]&gt;'],
  ['a\r\nb', 'a&#13;\nb'],
  ['Côte d’Ivoire 🇨🇮', 'Côte d’Ivoire 🇨🇮'],
  ['\u0000\u001f\ufffe', '\ufffd\ufffd\ufffd'],
  ['\ud800 and \udc00', '\ufffd and \ufffd'],
])('%j is written %j', (text, written) => {
  expect(escapeXml(text)).toBe(written);
});

test('written text is parsed back unchanged, between tags and in an attribute', () => {
  const characters = fc
    .string({ unit: 'binary' })
    .map((text) => text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?'));
  fc.assert(
    fc.property(characters, (text) => {
      const element = parseXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`);
      expect(element.text).toBe(text);
      // Line ends and tabs in attributes become spaces (XML 1.0 section 3.3.3).
      expect(attributeOf(element, '', 'b')).toBe(text.replace(/[\t\n]/g, ' '));
    }),
  );
});
