import { expect, test } from 'vitest';
import { prefersPage } from './prefers-page.js';

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML;q=0.9, */*;q=0.1', true],
  ['text/html;q=0', false],
  ['text/html;q=high, application/json', true],
  ['text/html, application/json;q=high', true],
  ['text/html;q=0.5, application/json;q=high', false],
  ['application/json, text/html;q=0.5', false],
  ['*/*', false],
  ['text/*', false],
  ['', false],
  [undefined, false],
])('Accept: %s → %s', (accept, isPage) => {
  expect(prefersPage(accept)).toBe(isPage);
});
