import { expect, test } from 'vitest';
import { escapeMarkup, escapeQuotedMarkup } from './escape-markup.js';

test('escapes what ends a text or an attribute in double quotes', () => {
  expect(escapeMarkup(`<a b="c">'&amp;'</a>`)).toBe(
    `&lt;a b=&quot;c&quot;&gt;'&amp;amp;'&lt;/a&gt;`,
  );
});

test('escapes single quotes too', () => {
  expect(escapeQuotedMarkup(`O'Brien & "sons"`)).toBe('O&#39;Brien &amp; &quot;sons&quot;');
});
