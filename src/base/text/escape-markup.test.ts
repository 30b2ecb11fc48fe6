import { expect, test } from 'vitest';
import { escapeMarkup, escapeQuotedMarkup } from './escape-markup.js';

test('escapes characters that would end a text or a double-quoted attribute', () => {
  expect(escapeMarkup(`<a b="c">'&amp;'</a>`)).toBe(
    `&lt;a b=&quot;c&quot;&gt;'&amp;amp;'&lt;/a&gt;`,
  );
});

test('escapes single quotes too', () => {
  expect(escapeQuotedMarkup(`O'Brien & "sons"`)).toBe('O&#39;Brien &amp; &quot;sons&quot;');
});
