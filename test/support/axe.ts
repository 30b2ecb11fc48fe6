/** The problems that axe finds in the current page. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  // Colours in a theme transition are temporary: finite animations are at their end.
  await page.evaluate(`for (const animation of document.getAnimations()) {
    if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
  }`);
  const violations = await page.evaluate<AxeResults['violations']>(
    'axe.run().then(({ violations }) => violations)',
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
