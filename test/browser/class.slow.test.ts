/** The page of a class in Chromium: teacher and pupil by keyboard only, in both themes and all widths. */

import { expect, test } from 'vitest';
import { callAt, newClass, solve } from '../classes/school.js';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

type Page = Awaited<ReturnType<typeof browser.open>>;

async function judge(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1400, 768, 360]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      const look = `${name}-${colorScheme}-${width}`;
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${look}.png`, fullPage: true });
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, look).toBeLessThanOrEqual(0);
      expect(await violationsOf(page), look).toEqual([]);
    }
  }
}

test('a teacher creates a class, a pupil joins and solves a challenge, by keyboard only', async () => {
  const teacher = await browser.open(`${service.url}/class`);
  await judge(teacher, 'class-start');
  await teacher.getByLabel('Name of the class').fill('Monday');
  await teacher.keyboard.press('Enter');
  await teacher.getByRole('heading', { name: 'Waiting for pupils …' }).waitFor();
  const code = await teacher.getByLabel('Code', { exact: true }).innerText();

  const pupil = await browser.open(`${service.url}/class?code=${code}`);
  expect(await pupil.getByLabel('Name of the class').count()).toBe(0);
  await pupil.getByLabel('Your name on the board').fill('<b>Ada</b>');
  await judge(pupil, 'class-join');
  await pupil.keyboard.press('Enter');
  await pupil.getByText('Write down your code:').waitFor();
  expect(await pupil.getByLabel('Your code').innerText()).toMatch(/^[A-Z2-9]{6}$/);
  await judge(pupil, 'class-code');
  // The button to continue has the focus.
  await pupil.keyboard.press('Enter');
  await pupil.getByRole('heading', { name: '<b>Ada</b> in Monday' }).waitFor();
  await pupil.locator('code.base').waitFor();
  const address = await pupil.locator('code.base').innerText();

  await teacher.getByRole('heading', { name: '1 pupil', exact: true }).waitFor();
  await callAt(address, 'POST /api/challenges/http-head/start');
  await teacher.getByText('1 pupil', { exact: true }).nth(1).waitFor();
  await callAt(address, 'GET /api/nowhere');
  await callAt(address, 'HEAD /api/Books/1');
  await teacher.getByRole('gridcell', { name: '1 of 2', exact: true }).waitFor();
  await pupil.getByText('1 solved, 10 points, 2 requests, 1 of them failed.').waitFor();
  await pupil.getByText('It solved a challenge.').waitFor();
  await judge(teacher, 'class-board');

  await teacher.getByRole('button', { name: '<b>Ada</b>' }).press('Enter');
  await teacher.getByRole('cell', { name: 'GET /api/(removed)' }).waitFor();
  await judge(teacher, 'class-pupil');
  await teacher.keyboard.press('Escape');

  await teacher.getByRole('button', { name: 'Assign challenges' }).press('Enter');
  await teacher.getByText(/^REST \(\d+\)$/).press('Enter');
  await teacher.getByRole('checkbox', { name: /No lost update/ }).press('Space');
  await judge(teacher, 'class-assign');
  await teacher.getByRole('button', { name: 'Assign', exact: true }).press('Enter');
  await teacher.getByRole('button', { name: 'Assign challenges (1)' }).waitFor();

  await teacher.getByLabel('Message to all pupils').fill('Well done.');
  await teacher.keyboard.press('Enter');
  await teacher.getByRole('button', { name: 'Show the ranking' }).press('Enter');
  await pupil.getByRole('listitem').getByRole('link', { name: 'No lost update' }).waitFor();
  await pupil.getByText('Well done.').waitFor();
  await pupil.getByRole('button', { name: 'Start' }).press('Enter');
  await pupil.getByRole('heading', { name: 'Your challenge' }).waitFor();
  await callAt(address, 'GET /api/Events/1');
  await callAt(address, 'PATCH /api/Events/1?q=hush', { json: { name: 'Other' } });
  await pupil.getByRole('heading', { name: 'What is missing' }).waitFor();
  await pupil.getByRole('rowheader', { name: '<b>Ada</b> (you)' }).waitFor();
  await judge(pupil, 'class-own');

  await teacher.getByRole('button', { name: 'Freeze' }).press('Enter');
  await pupil.getByText('The teacher has frozen the class').waitFor();
  await teacher.getByRole('button', { name: 'End the class' }).press('Enter');
  await teacher.locator('#confirm-yes').press('Enter');
  await teacher.getByRole('heading', { name: 'Join a class' }).waitFor();
  expect((await callAt(address, 'GET /api/Books/1')).status).toBe(404);
});

test('a pupil gets back in: in the same browser, and with the own code in another', async () => {
  const { created, teach } = await newClass(service);
  const pupil = await browser.open(`${service.url}/class?code=${created.joinCode}`);
  await pupil.getByLabel('Your name on the board').fill('Ada');
  await pupil.keyboard.press('Enter');
  const code = await pupil.getByLabel('Your code').innerText();
  await pupil.close();

  const again = await pupil.context().newPage();
  await again.goto(`${service.url}/class`);
  await judge(again, 'class-return');
  await again.getByRole('button', { name: 'Continue as Ada in Monday' }).press('Enter');
  await again.getByText('0 solved, 0 points').waitFor();
  const address = await again.locator('code.base').innerText();

  // The plain page of challenges leads to the pupil's own, which does not lead elsewhere.
  await again.goto(`${service.url}/challenges`);
  await again.getByRole('link', { name: 'Ada in ' }).click();
  await again.waitForURL(`${address}/challenges`);
  await again.getByText('0 of ').first().waitFor();
  expect(await again.getByText('This is not your progress').isVisible()).toBe(false);

  const other = await browser.open(`${service.url}/class?code=${created.joinCode}`);
  await other.getByLabel('Your own code').fill(code.toLowerCase());
  await other.keyboard.press('Enter');
  await other.getByText('0 solved, 0 points').waitFor();
  expect(await other.locator('code.base').innerText()).toBe(address);
  expect((await teach('GET')).json.pupils).toMatchObject([{ label: 'Ada' }]);

  // A browser that opened the address knows the pupil, too, until it forgets.
  await other.goto(`${service.url}/class`);
  await other.getByRole('button', { name: 'Forget Ada in Monday' }).press('Enter');
  await other.getByRole('heading', { name: 'Join a class' }).waitFor();
  await other.reload();
  await other.getByRole('heading', { name: 'Join a class' }).waitFor();
  expect(await other.getByRole('button', { name: /^Continue as/ }).count()).toBe(0);
});

test('the page of a pupil shows the next challenge, what is missing, and a lost connection', async () => {
  const { join, teach } = await newClass(service);
  const ada = await join('Ada');
  const page = await browser.open(`${ada.address}/class`, { expectedErrors: /ERR_FAILED/ });
  await page.getByText('Your teacher has not assigned any.').waitFor();
  await page.getByText('None yet.').waitFor();
  await teach('PATCH', { json: { assigned: ['http-head', 'http-options'] } });
  const { title, goal } = (await ada.call('GET /api/challenges/http-head')).json;
  await page.getByRole('heading', { name: 'Next challenge' }).waitFor();
  await page.locator('.card.next', { hasText: title }).getByText(goal).waitFor();
  // A card that is filled again keeps the focus.
  await page.getByRole('button', { name: 'Start' }).focus();
  await ada.call('GET /api/Books/1?fields=title');
  await page.locator('.last', { hasText: 'GET /api/Books/1?fields=title' }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Start');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your challenge' }).waitFor();
  await page.route('**/api/classes/me', (route) => route.abort());
  await page.getByText('Trying again …').waitFor();
  await page.unroute('**/api/classes/me');
  await ada.call('HEAD /api/Books/1');
  await page.getByText('1 solved, 10 points').waitFor();
  await page.getByText('1 of 2 assigned are solved.').waitFor();
  await page.getByText('It solved a challenge.').waitFor();
  expect(await page.getByText('Trying again …').count()).toBe(0);
  await ada.call('POST /api/challenges/http-options/start');
  await ada.call('OPTIONS /api/Books/1');
  await page.getByText('You have solved everything that is assigned.').waitFor();
  // The other pages below the base URL know the pupil.
  await page.getByRole('link', { name: 'All challenges' }).press('Enter');
  await page.getByText(/^2 of \d+ solved/).waitFor();
});

test('two pupils of one name differ, and the teacher shows the code of one again', async () => {
  const { id, teacherKey, join, teach } = await newClass(service);
  const pupils = [await join('Ada'), await join('Ada')];
  for (const each of pupils) await each.call('POST /api/challenges/http-head/hint');
  if (pupils[1] !== undefined) await solve(pupils[1]);
  const page = await browser.open(`${service.url}/class#${id}`);
  await page.getByLabel("The teacher's key").fill(teacherKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '2 pupils' }).waitFor();
  for (const name of ['Points', 'Solved', 'Hint cost', 'Wrong reports', 'Last request']) {
    await page.getByRole('columnheader', { name, exact: true }).waitFor();
  }
  await judge(page, 'class-columns');
  await page.getByRole('button', { name: 'Ada (2)' }).press('Enter');
  await page.getByText('8 points for 1 solved. Hints cost 2.').waitFor();
  await page.getByRole('button', { name: 'Show the code' }).press('Enter');
  const { code } = (await teach(`GET /pupils/${pupils[1]?.pupil}`)).json;
  await page.getByLabel('Code', { exact: true }).getByText(code).waitFor();
  await judge(page, 'class-pupil-code');
});

test('the page says that the teacher removed a pupil, and forgets the pupil', async () => {
  const { joinCode, teach } = await newClass(service);
  const page = await browser.open(`${service.url}/class?code=${joinCode}`);
  await page.getByLabel('Your name on the board').fill('Eve');
  await page.keyboard.press('Enter');
  await page.getByText('Write down your code:').waitFor();
  await teach('DELETE /pupils/1');
  await page.goto(`${service.url}/class`);
  await page.getByRole('button', { name: 'Continue as Eve in Monday' }).press('Enter');
  await page.getByRole('alert').getByText('the teacher removed this pupil').waitFor();
  expect(await page.getByRole('button', { name: /^Continue as/ }).count()).toBe(0);
  // The browser logs the response as an error.
  browser.takeFaults();
});

test('a wrong code and a wrong key are explained', async () => {
  const page = await browser.open(`${service.url}/class?code=AAAA-AAAA`);
  await page.getByLabel('Your name on the board').fill('Eve');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('No class has this join code.').waitFor();
  await page.getByLabel('Your own code').fill('AAAAAA');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('No pupil has this code').waitFor();
  const { id } = (await service.send('POST /api/classes', { json: { name: 'Other' } })).json;
  const other = await browser.open(`${service.url}/class#${id}`);
  await other.getByLabel("The teacher's key").fill('guess');
  await other.keyboard.press('Enter');
  await other.getByRole('alert').getByText('The key is wrong for this class.').waitFor();
  await other.getByLabel("The teacher's key").waitFor();
  // The browser logs both responses as errors.
  browser.takeFaults();
});
