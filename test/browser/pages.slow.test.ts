/** Checks of every page: no error, no foreign request, accessible, within its window. */

import { expect, test } from 'vitest';
import { purposePath, purposes } from '../../src/kit/front/purposes.js';
import { type PageName, pageNames, pathsOf } from '../../src/kit/pages/pages.js';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { everyThird } from '../support/every-third.js';
import { useService } from '../support/service.js';
import { lookAt } from './look-at.js';
import { openLab, useLab } from './open-lab.js';

const service = useService();
const lab = useLab();
const browser = useBrowser();

/** Pages that areas serve at other paths. */
const otherPaths: Partial<Record<PageName, string>> = {
  landing: '/',
  start: '/start/test',
  guides: '/guides',
  error: '/graphq',
  list: '/api/auth',
  grpc: '/grpc',
  mcp: '/mcp',
  llm: '/llm',
  ide: '/graphql',
  my: '/my',
  oidc: '/oidc',
  passkeys: '/api/auth/passkeys',
  tls: '/tls',
  verdicts: '/verdicts',
};

/** Shows that a page has finished rendering. */
const ready: Partial<Record<PageName, string>> = {
  landing: '.has-script',
  docs: '.area',
  ide: '.graphiql-query-editor .CodeMirror-code .CodeMirror-line',
};

const widths = [1400, 768, 360];

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  widths.map((width) => [colorScheme, width] as const),
);

test.each(purposes)('the page $title is on one screen', async ({ name }) => {
  const viewport = { width: 1400, height: 900 };
  const page = await browser.open(service.url + purposePath(name), { viewport });
  await page.locator('html.has-script').waitFor();
  const { height } = (await page.locator('main').boundingBox()) ?? { height: Number.NaN };
  const { y } = (await page.locator('main').boundingBox()) ?? { y: Number.NaN };
  expect(y + height).toBeLessThanOrEqual(viewport.height);
});

// Each page also has tests elsewhere.
/** Each page of the list, and other paths with the same document. */
const all: readonly (readonly [name: PageName, path: string])[] = [
  ...pageNames
    // At another port.
    .filter((name) => name !== 'http2')
    .map((name) => [name, otherPaths[name] ?? pathsOf(name)[0] ?? ''] as const),
  ...purposes.map(({ name }) => ['start', purposePath(name)] as const),
  ['guides', '/guides/auth/basic'],
  ['list', '/jsonplaceholder'],
  ['list', '/api'],
];

test.each(everyThird(all))(
  '%s at %s, in both themes and all widths',
  { timeout: 240_000 },
  async (name, path) => {
    const expected = name === 'error' ? { expectedErrors: /status of 404/ } : {};
    const page = await browser.open(`${service.url}${path}`, expected);
    await page
      .locator(ready[name] ?? 'main')
      .first()
      .waitFor();
    // The page of the bins keeps a stream open.
    await page.waitForLoadState(name === 'bins' ? 'load' : 'networkidle');
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      const look = `${path}-${colorScheme}-${width}`;
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${look.replaceAll('/', '_')}.png` });
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, look).toBeLessThanOrEqual(0);
      expect(await violationsOf(page), look).toEqual([]);
    }
  },
);

test('the cases of the HTTP/2 lab, in both themes and all widths', async () => {
  const page = await openLab(browser, lab);
  await page.locator('#unusual summary').press('Enter');
  await lookAt(page, 'HTTP/2 lab', widths);
});
