/** Checks of a page in any theme and width. */

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.js';

/**
 * Checks that the page of that heading is accessible and fits its window: wide and narrow, in
 * either theme.
 */
export async function lookAt(
  page: Page,
  title: string,
  widths: readonly number[] = [1400, 360],
): Promise<void> {
  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    widths.map((width) => [colorScheme, width] as const),
  );
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow, `${title} ${colorScheme} ${width}`).toBeLessThanOrEqual(0);
    expect(await violationsOf(page), `${title} ${colorScheme} ${width}`).toEqual([]);
  }
}
