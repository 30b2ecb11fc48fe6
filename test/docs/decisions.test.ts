/** Decisions are named by their question, dated and listed; each dependency has a line. */

import { expect, test } from 'vitest';
import { anchorsOf, headingsOf, linksOf } from './markdown.js';
import { readText, texts } from './pages.js';

const index = 'docs/decisions/README.md';
const dependencies = 'docs/decisions/dependencies.md';
const pages = texts.filter((name) => name.startsWith('docs/decisions/') && name !== index);

test.each(pages)(
  '%s is a question with a status, a date, a decision and its alternatives',
  (name) => {
    const text = readText(name);
    const [title, ...sections] = headingsOf(text);
    expect(title?.text).toMatch(/\?$/);
    expect(text).toMatch(/^- Status: (?:accepted|superseded by \[)/m);
    expect(text).toMatch(/^- Date: \d{4}-\d{2}-\d{2}/m);
    const headings = sections.map((section) => section.text);
    expect(headings[0]).toBe('Decision');
    expect(headings.some((heading) => heading.startsWith('Considered'))).toBe(true);
    if (headings.includes('Figures')) expect(text).toMatch(/^- Measured: \d{4}-\d{2}-\d{2}/m);
  },
);

test.each(pages.filter((name) => name !== dependencies))(
  '%s is named after its question',
  (name) => {
    const [title = ''] = anchorsOf(readText(name));
    expect(name).toBe(`docs/decisions/${title}.md`);
  },
);

test('the index lists each page once', () => {
  const listed = linksOf(readText(index)).filter((link) => !link.startsWith('..'));
  expect(listed.sort()).toEqual(pages.map((name) => name.replace('docs/decisions/', '')).sort());
});

test('each dependency has a line that says why and for what it is used, and no other package has one', () => {
  const project = JSON.parse(readText('package.json'));
  const tests = JSON.parse(readText('test/package.json'));
  const text = readText(dependencies);
  const start = text.indexOf('## When the service runs');
  const rows = text.slice(start, text.indexOf('## Overrides'));
  const listed = [...rows.matchAll(/^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$/gm)].map(
    ([, name]) => name,
  );
  const used = Object.keys({
    ...project.dependencies,
    ...project.devDependencies,
    ...tests.dependencies,
  });
  expect(listed.sort()).toEqual(used.sort());
});
