/** One order and one grouping of areas: in the pages, the lists, the guides and the README. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Area } from '../../src/kit/area.js';
import { areaGroups, groupAreas } from '../../src/kit/front/area-groups.js';
import { areas } from '../../src/service.js';
import { useService } from '../support/service.js';

const service = useService();
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const titles = areaGroups.map(({ title }) => title);
const grouped = groupAreas(areas);
const names = grouped.flatMap(({ members }) => members.map(({ name }) => name));
const areaTitles = grouped.flatMap(({ members }) => members.map(({ title }) => title));

/** Returns the texts that another text contains, in its order. */
function inOrder(texts: readonly string[], text: string, mark: (each: string) => string) {
  return texts
    .map((each) => ({ each, at: text.indexOf(mark(each)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

test('there are at most eight groups, each with areas, and areas are listed in their order', () => {
  expect(titles.length).toBeLessThanOrEqual(8);
  expect(grouped.map(({ title }) => title)).toEqual(titles);
  const front = (area: Area) => area.front.group ?? 'none';
  const ungrouped = (areas as readonly Area[]).filter((area) => front(area) === 'none');
  const none = 'Give each of these areas a front.group of src/kit/front/area-groups.ts.';
  expect(
    ungrouped.map(({ name }) => name),
    none,
  ).toEqual([]);
  const order = 'In src/service.ts, put each area beside the other areas of its front.group.';
  expect(
    areas.map(({ name }) => name),
    order,
  ).toEqual(names);
});

test('GET / has the groups and areas in order', async () => {
  const { json } = await service.send('GET /');
  const listed: readonly { name: string; group: string }[] = json.areas;
  expect(listed.map(({ name }) => name)).toEqual(names);
  expect([...new Set(listed.map(({ group }) => group))]).toEqual(titles);
});

test('/llms.txt has the groups and areas in order', async () => {
  const { text } = await service.send('GET /llms.txt');
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(headings.filter((title) => titles.includes(title as never))).toEqual(titles);
  expect([...text.matchAll(/^### (.+)$/gm)].map(([, title]) => title)).toEqual(areaTitles);
});

test('the description has the areas in order', async () => {
  const { json } = await service.send('GET /openapi.json');
  const tags: readonly string[] = json.tags.map(({ name }: { name: string }) => name);
  expect(tags.filter((name) => names.includes(name as never))).toEqual(names);
});

test.each([
  ['/docs', (title: string) => `<h2 class="outline-group">${title}</h2>`],
  ['/guides', (title: string) => `<h2>${title}</h2>`],
])('the page %s has the groups in order', async (path, mark) => {
  const { text } = await service.send(`GET ${path}`, { headers: { accept: 'text/html' } });
  expect(inOrder(titles, text, mark)).toEqual(titles);
});

test('the front page and the reference have the areas in order', async () => {
  const headers = { accept: 'text/html' };
  const page = await service.send('GET /', { headers });
  expect(inOrder(areaTitles, page.text, (title) => `<h3>${title}</h3>`)).toEqual(areaTitles);
  const reference = await service.send('GET /docs', { headers });
  expect(inOrder(names, reference.text, (name) => `data-area="${name}"`)).toEqual(names);
});

test.each([
  ['docs/README.md', (title: string) => `\n### ${title}\n`],
  ['README.md', (title: string) => `\n| ${title} |`],
])('%s has the groups in order', (path, mark) => {
  expect(inOrder(titles, read(path), mark)).toEqual(titles);
});

test.each([
  ['docs/README.md', /^### /m, ''],
  ['README.md', /^\| /m, 'docs/'],
])('%s links the guide of each area in its group, in order', (path, mark, folder) => {
  const sections = read(path).split(mark);
  const all = grouped.flatMap(({ members }) => members);
  for (const { title, members } of grouped) {
    const section = sections.find((each) => each.split(/ \||\n/)[0] === title) ?? '';
    const guides = members.flatMap(({ guide }) => {
      // A guide of areas of two groups is in one of them; the guides of schemes are below Authentication.
      const isElsewhere = all.some((each) => each.guide === guide && !members.includes(each));
      return guide === undefined || isElsewhere || guide.startsWith('auth/') ? [] : [guide];
    });
    const places = guides.map((guide) =>
      section.search(new RegExp(`\\(${folder}${guide}\\.md[#)]`)),
    );
    expect(
      places.every((place) => place >= 0),
      `${guides} in ${title}`,
    ).toBe(true);
    expect(places, `${guides} in ${title}`).toEqual(places.toSorted((a, b) => a - b));
  }
});
