/** The front page, the reference and pages of labs by keyboard only: every control is reached, seen and left. The board has its own tests. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';
import { openLab, useLab } from './open-lab.js';
import { tabTo } from './tab-to.js';

const service = useService();
const lab = useLab();
const browser = useBrowser();
const patient = { timeout: 30_000 };
const maxStops = 400;

interface Stop {
  readonly name: string;
  /** Whether it is inside the window, and nothing covers it. */
  readonly isSeen: boolean;
  /** Whether it looks different from itself without the focus. */
  readonly isMarked: boolean;
}

/** Marks the focused control as met, and describes it; null where the focus is outside the page. */
const stopHere = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused.dataset.met) return null;
  focused.dataset.met = 'yes';
  // The label of a tab shows its state.
  const shown = focused.type === 'radio' ? focused.labels[0] : focused;
  const { left, top, right, bottom } = shown.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
  const at = document.elementFromPoint(Math.min(Math.max(x, 1), innerWidth - 1), y);
  const style = getComputedStyle(shown);
  return {
    name: (focused.id || focused.getAttribute('aria-label') || focused.textContent).trim().slice(0, 60),
    isSeen: at !== null && (shown.contains(at) || at.contains(shown)),
    isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
  };
})()`;

/** The visible controls that Tab has not met; of a group of radio buttons, one is enough. */
const unmet = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled)
  .filter((each) => each.tabIndex >= 0 && each.type !== 'radio' && !each.dataset.met)
  .filter((each) => !each.matches('summary') || each.parentElement.querySelector('summary') === each)
  .map((each) => (each.id || each.textContent || each.outerHTML).trim().slice(0, 60))`;

async function tabThrough(page: Page): Promise<readonly Stop[]> {
  // Scrolling is then immediate.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const stops: Stop[] = [];
  for (let count = 0; count < maxStops; count++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop | null>(stopHere);
    if (stop === null) return stops;
    stops.push(stop);
  }
  throw new Error(`The page has more than ${maxStops} stops, or holds the focus.`);
}

async function expectReachable(page: Page): Promise<void> {
  const stops = await tabThrough(page);
  expect(stops.filter(({ isSeen }) => !isSeen).map(({ name }) => name)).toEqual([]);
  expect(stops.filter(({ isMarked }) => !isMarked).map(({ name }) => name)).toEqual([]);
  expect(await page.evaluate(unmet)).toEqual([]);
}

test.each([1400, 360])(
  'on the front page, %i wide, Tab reaches all that is visible',
  async (width) => {
    const page = await browser.open(`${service.url}/`, { viewport: { width, height: 800 } });
    await page.locator('#console-answer', { hasText: '200 OK' }).waitFor();
    await expectReachable(page);
  },
);

test.each([1400, 360])(
  'on the page of the HTTP/2 lab, %i wide, Tab reaches all that is visible',
  async (width) => {
    await expectReachable(await openLab(browser, lab, { width, height: 800 }));
  },
);

test.each(['/llm', '/mcp'])('on the page %s, Tab reaches all that is visible', async (path) => {
  const page = await browser.open(service.url + path, { viewport: { width: 1400, height: 900 } });
  await page.locator('#verdicts', { hasText: 'Rules and cases' }).waitFor();
  await expectReachable(page);
});

test.each([1400, 360])(
  'on the page of gRPC, %i wide, Tab reaches all that is visible',
  async (width) => {
    const page = await browser.open(`${service.url}/grpc`, { viewport: { width, height: 800 } });
    await page.locator('#copy-target:enabled').waitFor();
    await expectReachable(page);
  },
);

test('on the page of gRPC, a client is chosen, and a call is sent', async () => {
  const page = await browser.open(`${service.url}/grpc`);
  await page.locator('#copy-target:enabled').waitFor();
  await page.locator('input[name="client"]:checked').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('#setup', { hasText: 'buf curl' }).waitFor();
  await tabTo(page, '#try');
  await page.keyboard.press('Enter');
  await page.locator('#tried', { hasText: 'hello Ada' }).waitFor();
});

test('the console sends a typed request, and after the search the focus is where it was', async () => {
  const page = await browser.open(`${service.url}/`);
  await page.locator('#console-answer', { hasText: '200 OK' }).waitFor();
  await tabTo(page, '#console-path');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('/api/Books/2?fields=id');
  await page.keyboard.press('Enter');
  await page.locator('#console-answer', { hasText: '"id": 2' }).waitFor();
  // The search opens and closes, and then the focus is where it was.
  await page.keyboard.press('Control+K');
  await page.keyboard.type('retry');
  await page.locator('#search-found a').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  expect(await page.evaluate('document.activeElement.id')).toBe('console-path');
});

test.each([1400, 360])(
  'in the reference, %i wide, Tab reaches all that is visible, also in an operation',
  async (width) => {
    const page = await browser.open(`${service.url}/docs`, { viewport: { width, height: 800 } });
    await page.locator('.area').first().waitFor();
    await expectReachable(page);
    await page.goto(`${service.url}/docs#/rate-limit/getRateLimitStatus`);
    await page.reload();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await expectReachable(page);
  },
);

test.each([1400, 360])(
  'in the reference, %i wide, an operation opens, and its response comes into view',
  async (width) => {
    const page = await browser.open(`${service.url}/docs`, { viewport: { width, height: 800 } });
    await page.locator('.area').first().waitFor();
    await page.locator('#filter').focus();
    await page.keyboard.type('RateLimit/status');
    await expect.poll(() => page.locator('#results .row').count(), patient).toBe(1);
    await tabTo(page, '#results .row');
    await page.keyboard.press('Enter');
    await tabTo(page, '.execute', 'Send');
    await page.keyboard.press('Enter');
    const shown = page.locator('.answer-line', { hasText: '200 OK' });
    await shown.waitFor();
    const topOf = async () => (await shown.boundingBox())?.y ?? Number.NaN;
    await expect.poll(topOf, patient).toBeLessThan(800);
    expect(await topOf()).toBeGreaterThanOrEqual(0);
  },
);
