import { expect, test } from 'vitest';
import { markdownLinks, pageLinks } from '../../scripts/guides/links.js';
import { readContents, readingOrder } from '../../scripts/guides/read-contents.js';
import { renderPage } from '../../scripts/guides/render-page.js';

const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n\n`;
const render = (markdown: string) => renderPage(`# Title\n\n${markdown}`, pageLinks('a/b'));

test('a page has a title, a lead, headings with fragments, and the text below each', () => {
  const page = render('It is *this*.\n\n## One `x`\n\nText.\n\n### Two\n\n## One x\n');
  expect(page).toMatchObject({ title: 'Title', lead: 'It is this.', exercises: 0 });
  expect(page.headings).toEqual([
    { id: 'one-x', level: 2, text: 'One x' },
    { id: 'two', level: 3, text: 'Two' },
    { id: 'one-x-1', level: 2, text: 'One x' },
  ]);
  expect(page.sections[1]).toMatchObject({ heading: { id: 'one-x' }, text: 'Text.\n' });
  expect(page.html).toContain('<h3 id="two">Two <a class="anchor" href="#two"');
  expect(page.html).not.toContain('Title');
});

test('a command has Copy, and Send if a browser can send it', () => {
  const { html } = render(fence('console', '$ curl localhost:3000/a\n{"b":1}\n$ node c.js\nd'));
  expect(html.match(/>Copy</g)).toHaveLength(2);
  expect(html.match(/>Send</g)).toHaveLength(1);
  expect(html).toContain(
    'data-request="{&quot;method&quot;:&quot;GET&quot;,&quot;path&quot;:&quot;/a&quot;}"',
  );
  expect(html).toContain('base-url.invalid/a');
  expect(html).not.toContain('localhost:3000');
});

test('consecutive code blocks of several languages are in tabs, each with its output', () => {
  const { html } = render(
    fence('js run', 'a') + fence('text', 'printed') + fence('python run', 'b'),
  );
  expect(html.match(/type="radio"/g)).toHaveLength(2);
  expect(html.match(/class="panel"/g)).toHaveLength(2);
  expect(html).toMatch(/class="panel">(?:(?!class="panel").)*printed.*class="panel"/s);
});

test.each([
  ['text between', `${fence('js run', 'a')}Text.\n\n${fence('python run', 'b')}`],
  ['one language twice', fence('js run', 'a') + fence('js run', 'b')],
  ['a single block', fence('js run', 'a')],
])('%s makes no tabs', (_name, markdown) => {
  expect(render(markdown).html).not.toContain('radio');
});

test('markup in code stays text', () => {
  const { html } = render(fence('console', '$ echo "<b>&"\n<i>') + fence('json', '{"<u>": 1}'));
  expect(html).not.toMatch(/<(?:b|u)>|<i>/);
  expect(html).toContain('&lt;b&gt;&amp;');
});

test('exercises are numbered, and solutions folded', () => {
  const page = render(
    '## Exercises\n\n1. One.\n2. Two.\n   - Not one.\n\n<details>\n<summary>Solutions</summary>\n\nText.\n\n</details>\n',
  );
  expect(page.exercises).toBe(2);
  expect(page.html).toContain('<li id="exercise-2">');
  expect(page.html).toMatch(/<details>\n<summary>Solutions<\/summary>/);
});

test('the messages of failures are collected', () => {
  const rows = '| 400 | `limit must be …` | x `y z` |\n| 401 | `No key.` | z |\n';
  const { failures } = render(
    `## What each failure means\n\n| Status | Says | Do |\n| --- | --- | --- |\n${rows}\n## After\n\n| a | \`b c\` |\n| --- | --- |\n| a | \`b c\` |\n`,
  );
  expect(failures).toEqual(['limit must be …', 'No key.']);
});

test.each([
  ['#there', '#there'],
  ['https://example.org/a.md', 'https://example.org/a.md'],
  ['c.md#there', '../guides/a/c#there'],
  ['../d.md', '../guides/d'],
  ['../README.md', '../guides'],
  ['../images/e.svg', '../guides/images/e.svg'],
  ['../../SECURITY.md', 'repository:SECURITY.md'],
  ['../decisions/why-a.md', 'repository:docs/decisions/why-a.md'],
])('a link to %s leads to %s', (target, expected) => {
  expect(pageLinks('a/b')(target)).toBe(expected);
});

test('Markdown has absolute links, and its code unchanged', () => {
  const text = `[c](c.md#x) \`[c](c.md)\` ![e](../images/e.svg)\n${fence('js', '[c](c.md)')}`;
  expect(markdownLinks('a/b', text)).toBe(
    `[c](http://base-url.invalid/guides/a/c.md#x) \`[c](c.md)\` ![e](http://base-url.invalid/guides/images/e.svg)\n${fence('js', '[c](c.md)')}`,
  );
});

test('the table of contents has paths, and areas with their folders', () => {
  const names = [
    'start',
    'auth',
    'auth/basic',
    'auth/jwt',
    'soap',
    'testing/shell',
    'hosting',
    'left',
  ];
  const contents = readContents(
    '# Documentation\n\n[s](start.md)\n\n## The areas\n\n### Log in\n\n[j](auth/jwt.md) [a](auth.md)\n\n### RPC\n\n[o](soap.md)\n\n## A path for testers\n\n1. [s](start.md) [t](testing/shell.md#x) [s](start.md)\n\n## More\n\n[h](hosting.md) [b](auth/basic.md#y)\n',
    new Map(names.map((name) => [name, name.toUpperCase()])),
  );
  expect(contents.paths).toEqual([
    { name: 'testers', title: 'Testers', steps: ['start', 'testing/shell'] },
  ]);
  expect(contents.parts.slice(0, 3)).toMatchObject([
    { title: 'First steps', entries: ['start', 'left'] },
    { title: 'Log in', entries: [{ name: 'auth', title: 'AUTH', pages: ['auth', 'auth/jwt'] }] },
    { title: 'RPC', entries: ['soap'] },
  ]);
  expect(readingOrder(contents)).toEqual([
    'start',
    'left',
    'auth',
    'auth/jwt',
    'soap',
    'testing/shell',
    'hosting',
    'auth/basic',
  ]);
});
