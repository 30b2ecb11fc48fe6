/** No link of the documentation to this project is dead. */

import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { isGuide } from '../../scripts/guides/is-guide.js';
import { anchorsOf, linksOf } from './markdown.js';
import { readText, root, texts } from './pages.js';

test.each(texts)('every link of %s leads to an existing file and heading', (text) => {
  const dead = linksOf(readText(text)).filter((link) => whyDead(text, link) !== undefined);
  expect(dead).toEqual([]);
});

test('every page of docs/ is linked from its table of contents', () => {
  const reached = new Set(linksOf(readText('docs/README.md')).map((link) => link.split('#', 1)[0]));
  const missing = texts.filter(
    (text) =>
      text.startsWith('docs/') &&
      isGuide(text.slice('docs/'.length, -'.md'.length)) &&
      text !== 'docs/README.md' &&
      !reached.has(posix.relative('docs', text)),
  );
  expect(missing).toEqual([]);
});

test('a dead link is found', () => {
  expect(whyDead('docs/README.md', 'nowhere.md')).toBe('no file');
  expect(whyDead('docs/README.md', 'auth.md#nowhere')).toBe('no heading');
  expect(whyDead('docs/README.md', '/docs/auth.md')).toBe('not relative');
  expect(whyDead('docs/README.md', 'auth.md')).toBeUndefined();
});

function whyDead(from: string, link: string): string | undefined {
  if (/^https?:/.test(link)) return undefined;
  if (link.startsWith('/')) return 'not relative';
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : posix.join(posix.dirname(from), file);
  if (target.startsWith('..') || !existsSync(new URL(target, root))) return 'no file';
  if (anchor === undefined) return undefined;
  return anchorsOf(readText(target)).has(anchor) ? undefined : 'no heading';
}
