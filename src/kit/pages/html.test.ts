import { expect, test } from 'vitest';
import { type HtmlValue, html } from './html.js';

test.each<[string, HtmlValue, string]>([
  ['text', 'a', 'a'],
  ['a number', 0, '0'],
  ['markup in text', '<b class="x">&\'</b>', '&lt;b class=&quot;x&quot;&gt;&amp;&#39;&lt;/b&gt;'],
  ['html', html`<b>${'<'}</b>`, '<b>&lt;</b>'],
  ['a list of both', ['<', html`<i></i>`, [1]], '&lt;<i></i>1'],
  ['nothing', undefined, ''],
  ['false', false, ''],
])('%s', (_case, value, expected) => {
  expect(html`<p title="${value}">${value}</p>`.text).toBe(
    `<p title="${expected}">${expected}</p>`,
  );
});
