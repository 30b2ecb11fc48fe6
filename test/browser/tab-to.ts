/** Moves through a page by keyboard. */

import type { Page } from 'playwright-core';

/** Presses Tab until a matching element has the focus. */
export async function tabTo(page: Page, selector: string, text = ''): Promise<void> {
  const hasFocus = `(() => {
    const { activeElement } = document;
    return activeElement.matches(${JSON.stringify(selector)})
      && activeElement.textContent.includes(${JSON.stringify(text)});
  })()`;
  for (let count = 0; count < 120; count += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(hasFocus)) return;
  }
  throw new Error(`Tab does not lead to ${selector} ${text}.`);
}
