/** Checks of every page: no error, no foreign request, accessible, within its window. */

import { expect, test } from 'vitest';
import { type PageName, pageNames, pathsOf } from '../../src/kit/pages/pages.js';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { everyThird } from '../support/every-third.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

/** Pages that areas serve at other paths. */
const otherPaths: Partial<Record<PageName, string>> = {
  landing: '/',
  start: '/start/test',
  guides: '/guides',
  error: '/graphq',
  list: '/api/auth',
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

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1400, 360].map((width) => [colorScheme, width] as const),
);

// Each page also has tests elsewhere.
test.each(everyThird(pageNames))(
  '%s, in both themes, wide and narrow',
  { timeout: 240_000 },
  async (name) => {
    const path = otherPaths[name] ?? pathsOf(name)[0];
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
      const look = `${name}-${colorScheme}-${width}`;
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${look}.png` });
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, look).toBeLessThanOrEqual(0);
      expect(await violationsOf(page), look).toEqual([]);
    }
  },
);
