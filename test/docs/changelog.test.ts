/** The changelog is a list for users, not a diary. */

import { expect, test } from 'vitest';
import { sectionOf } from './markdown.js';
import { readText } from './pages.js';

const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

test('the unreleased section has one line for each change, by its kind', () => {
  const section = sectionOf(readText('CHANGELOG.md'), 'Unreleased');
  const lines = section?.split('\n').filter((line) => line !== '');
  expect(lines).toBeDefined();
  for (const line of lines ?? []) {
    if (line.startsWith('### ')) expect(kinds).toContain(line.slice(4));
    else expect(line).toMatch(/^- .{1,126}$/);
  }
});
