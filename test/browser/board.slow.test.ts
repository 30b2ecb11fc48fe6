/** The board of a class in Chromium: the matrix, by keyboard only, without names, and for a projector. */

import { expect, test } from 'vitest';
import { callAt, newClass, type Pupil } from '../classes/school.js';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useDirectService } from '../support/direct-service.js';

const minuteMs = 60_000;
let nowMs = Date.UTC(2030, 0, 1);
const service = useDirectService({ now: () => nowMs });
const browser = useBrowser();

type Room = Awaited<ReturnType<typeof newClass>>;

async function openBoard({ id, teacherKey }: Room) {
  const page = await browser.open(`${service.url}/class#${id}`);
  await page.getByLabel("The teacher's key").fill(teacherKey);
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader').first().waitFor();
  return page;
}

type Page = Awaited<ReturnType<typeof openBoard>>;

const assign = ({ teach }: Room, assigned: readonly string[]) =>
  teach('PATCH', { json: { assigned } });

const start = ({ call }: Pupil, id: string) => call(`POST /api/challenges/${id}/start`);
const namesIn = (page: Page) => page.getByRole('rowheader').allInnerTexts();
const focusedCell = (page: Page) =>
  page.evaluate<string>(`document.activeElement.closest('th, td').textContent`);

const overflowOf = (page: Page) =>
  page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );

async function judge(page: Page, name: string, widths = [1400, 768, 360]): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const look = `${name}-${colorScheme}-${width}`;
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${look}.png`, fullPage: true });
      expect(await overflowOf(page), look).toBeLessThanOrEqual(0);
      expect(await violationsOf(page), look).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1400, height: 900 });
}

test('the matrix shows each state in words, and pupils who are stuck first', async () => {
  const room = await newClass(service);
  await assign(room, ['http-head', 'rest-sort', 'http-options']);
  const [ada, bo] = [await room.join('Ada'), await room.join('Bo')];
  await room.join('Cy');
  await start(ada, 'http-head');
  await ada.call('HEAD /api/Books/1');
  await start(bo, 'http-options');
  await start(bo, 'rest-sort');
  const page = await openBoard(room);
  expect(await namesIn(page)).toEqual(['Ada', 'Bo', 'Cy']);
  await judge(page, 'board-begun');
  nowMs += 5 * minuteMs + 1;
  await bo.call('GET /api/Books?sort=titel&limit=2');
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  const statesOf = async (name: string) => {
    const cells = await rowOf(name).getByRole('gridcell').all();
    return Promise.all(cells.slice(0, 3).map((cell) => cell.getAttribute('aria-label')));
  };
  await page.getByRole('heading', { name: '3 pupils, 1 stuck' }).waitFor();
  expect(await namesIn(page)).toEqual(['Bo', 'Ada', 'Cy']);
  expect(await statesOf('Ada')).toEqual(['solved', 'not begun', 'not begun']);
  expect(await statesOf('Bo')).toEqual(['not begun', 'stuck for over five minutes', 'tried']);
  expect(await statesOf('Cy')).toEqual(['not begun', 'not begun', 'not begun']);
  await rowOf('Bo').getByText('GET /api/Books?sort=titel&limit=2').waitFor();
  await rowOf('Bo')
    .getByText(/^The most expensive first, stuck since .+$/)
    .waitFor();
  const titles = page.getByRole('columnheader', { name: 'The most expensive first' });
  expect(await titles.getAttribute('title')).toBe('The most expensive first');
  // The symbols differ without their colours.
  const symbols = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.legend .state')].map(
      (each) => getComputedStyle(each, '::before').content)`,
  );
  expect(new Set(symbols).size).toBe(4);
  await judge(page, 'board-stuck');
});

test('by keyboard, the table is one stop, and a row opens to its requests', async () => {
  const room = await newClass(service);
  await assign(room, ['http-head', 'rest-sort']);
  const [ada, bo] = [await room.join('Ada'), await room.join('Bo')];
  await ada.call('GET /api/Books?q=ring&token=hush');
  const page = await openBoard(room);
  await page.getByRole('button', { name: 'Projector' }).focus();
  await page.keyboard.press('Tab');
  expect(await focusedCell(page)).toBe('Pupil');
  await page.keyboard.press('ArrowDown');
  expect(await focusedCell(page)).toBe('Ada');
  await page.keyboard.press('ArrowRight');
  await page.getByText('Ada: Only the headers: not begun').waitFor();
  // A change moves another row before this one; the focus stays in its cell.
  await start(bo, 'http-head');
  nowMs += 6 * minuteMs;
  await bo.call('GET /api/Books/1');
  await page.getByRole('heading', { name: '2 pupils, 1 stuck' }).waitFor();
  expect(await namesIn(page)).toEqual(['Bo', 'Ada']);
  await page.keyboard.press('ArrowLeft');
  expect(await focusedCell(page)).toBe('Ada');
  await page.keyboard.press('Control+Home');
  expect(await focusedCell(page)).toBe('Pupil');
  await page.keyboard.press('Control+End');
  expect(await focusedCell(page)).toContain('GET /api/Books?q=ring&token=(removed)');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Ada' });
  await dialog.getByRole('cell', { name: 'GET /api/Books?q=ring&token=(removed)' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await focusedCell(page)).toContain('GET /api/Books?q=ring');
  // Out of the table: to the form below it.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.id')).toBe('message');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Enter');
  expect(await namesIn(page)).toEqual(['Ada', 'Bo']);
});

test('without names, no name of a pupil is in the page, also after a reload', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada Lovelace');
  await start(ada, 'http-head');
  await ada.call('HEAD /api/Books/1');
  const page = await openBoard(room);
  await page.getByRole('button', { name: 'Hide names' }).press('Enter');
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await page.getByRole('rowheader', { name: 'Pupil 1' }).waitFor();
    await page.getByText('Pupil 1 Only the headers').waitFor();
    await page.getByRole('button', { name: 'Pupil 1' }).press('Enter');
    await page.getByRole('dialog', { name: 'Pupil 1' }).waitFor();
    expect(await page.content()).not.toContain('Lovelace');
    await page.keyboard.press('Escape');
  }
  const pupil = await browser.open(`${ada.address}/class`);
  await pupil.getByText('On a board without names, you are pupil 1.').waitFor();
  await page.getByRole('button', { name: 'Hide names' }).press('Enter');
  await page.getByRole('rowheader', { name: 'Ada Lovelace' }).waitFor();
});

test('for a projector, the board is larger, and private columns are hidden', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  await ada.call('GET /api/Books?q=ring');
  const page = await openBoard(room);
  await page.setViewportSize({ width: 1920, height: 1080 });
  const sizeOf = () => page.getByRole('rowheader').evaluate((cell) => cell.clientHeight);
  const before = await sizeOf();
  await page.getByRole('button', { name: 'Projector' }).press('Enter');
  await page.getByRole('columnheader', { name: 'Last request' }).waitFor({ state: 'hidden' });
  for (const name of ['Hint cost', 'Wrong reports', 'Failures']) {
    expect(await page.getByRole('columnheader', { name, includeHidden: true }).isVisible()).toBe(
      false,
    );
  }
  expect(await sizeOf()).toBeGreaterThan(before);
  await page.getByLabel('Code', { exact: true }).waitFor();
  await judge(page, 'board-projector', [1920, 1280]);
  await page.reload();
  await page.getByRole('button', { name: 'Projector', pressed: true }).press('Enter');
  await page.getByRole('columnheader', { name: 'Last request' }).waitFor();
});

const hostileNames = [
  '<img src=x onerror=alert(1)>',
  'W'.repeat(40),
  'Z\u0335\u0321\u0322'.repeat(10),
  'שלום (2)',
  '=HYPERLINK("http://a.example")',
];

test('200 pupils with 30 challenges: a change touches the cells of its row only, and keys reach every cell', async () => {
  const room = await newClass(service);
  const { challenges } = (await room.teach('GET')).json;
  await assign(
    room,
    challenges.slice(0, 30).map(({ id }: { id: string }) => id),
  );
  const pupils: Pupil[] = [];
  for (let count = 0; count < 200; count++) {
    pupils.push(await room.join(hostileNames[count] ?? `Pupil with the number ${count}`));
  }
  const page = await openBoard(room);
  expect(await page.locator('td.state').count()).toBe(6000);
  await page.evaluate(`
    touched = new Set();
    new MutationObserver((records) => {
      for (const { target } of records) touched.add(target.closest?.('tr')?.dataset.pupil);
    }).observe(document.querySelector('table'), {
      subtree: true, childList: true, attributes: true, characterData: true,
    });
  `);
  await pupils[150]?.call('GET /api/Books?sort=title');
  await page.getByText('GET /api/Books?sort=title').waitFor();
  expect(await page.evaluate('[...touched]')).toEqual(['151']);
  // One of more than 7,000 cells is a stop of Tab.
  expect(await page.locator('table [tabindex="0"]').count()).toBe(1);
  await page.getByRole('button', { name: 'Projector' }).focus();
  await page.keyboard.press('Tab');
  const nameOfRow = (count: number) => page.getByRole('rowheader').nth(count).innerText();
  for (let pages = 1; pages <= 2; pages++) await page.keyboard.press('PageDown');
  expect(await focusedCell(page)).toBe(await nameOfRow(19));
  for (let steps = 1; steps <= 30; steps++) await page.keyboard.press('ArrowRight');
  const lastTitle = challenges[29].title;
  await page.getByText(`${await nameOfRow(19)}: ${lastTitle}: not begun`).waitFor();
  // A change elsewhere leaves the focus in its cell, which is in view beside the names.
  await pupils[3]?.call('GET /api/Books?sort=price');
  await page.getByText('GET /api/Books?sort=price').waitFor();
  const focusedBox = `(() => {
    const { left, top, right, bottom } = document.activeElement.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return document.activeElement.ariaLabel === 'not begun' && document.activeElement.contains(at);
  })()`;
  expect(await page.evaluate(focusedBox)).toBe(true);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Home');
  const last = await nameOfRow(199);
  expect(await focusedCell(page)).toBe(last);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: last }).waitFor();
  await page.keyboard.press('Escape');
  expect(await focusedCell(page)).toBe(last);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Enter');
  await page
    .getByRole('columnheader', { name: 'Pupil' })
    .and(page.locator('[aria-sort="ascending"]'))
    .waitFor();
  // One more Tab leaves the table.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.id')).toBe('message');
  for (const width of [1400, 768, 360]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflowOf(page), String(width)).toBeLessThanOrEqual(0);
  }
});

test('a board whose class is deleted elsewhere leads to the start', async () => {
  const room = await newClass(service);
  await room.join('Ada');
  const page = await openBoard(room);
  await room.teach('DELETE');
  await page.getByRole('heading', { name: 'Join a class' }).waitFor();
  await page.goto(`${service.url}/class#${room.id}`);
  await page.getByLabel("The teacher's key").fill(room.teacherKey);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('There is no such class').waitFor();
  // The browser logs the response as an error.
  browser.takeFaults();
});

test('the page of a pupil says that the teacher removed them, and leads to the start', async () => {
  const room = await newClass(service);
  const ada = await room.join('Ada');
  const page = await browser.open(`${ada.address}/class`);
  await page.getByRole('heading', { name: 'Try this first' }).waitFor();
  expect(await page.locator('code.line').innerText()).toBe(`curl -s ${ada.address}/api/Books/1`);
  await room.teach(`DELETE /pupils/${ada.pupil}`);
  await page.getByText('The class has ended, or the teacher removed you.').waitFor();
  await page.getByRole('link', { name: 'Join a class' }).press('Enter');
  await page.getByRole('heading', { name: 'Join a class' }).waitFor();
  expect(await page.getByRole('button', { name: /^Continue as/ }).count()).toBe(0);
  browser.takeFaults();
  // Without the token there is no page of a pupil.
  const gone = await callAt(ada.address, 'GET /class', { headers: { Accept: 'text/html' } });
  expect(gone.status).toBe(404);
});
