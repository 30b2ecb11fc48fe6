/** The problems that axe finds in the current page. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Third-party elements of the viewer and the editor: we can only choose the product. Their
 * appearance is ours.
 */
const structure = [
  'aria-allowed-attr',
  'aria-required-children',
  'aria-required-parent',
  'button-name',
  'heading-order',
  'label',
  'label-content-name-mismatch',
  'landmark-main-is-top-level',
  'nested-interactive',
  'scrollable-region-focusable',
  'select-name',
];
const foreignParts = '#viewer, .graphiql-container';

export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  // Colours in a theme transition are temporary: finite animations are at their end.
  await page.evaluate(`for (const animation of document.getAnimations()) {
    if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
  }`);
  const violations = await page.evaluate<AxeResults['violations']>(`axe.run().then(
    ({ violations }) => violations.map(({ id, nodes }) => {
      const isOurs = ({ target }) =>
        !${JSON.stringify(structure)}.includes(id) ||
        document.querySelector(target[0])?.closest('${foreignParts}') === null;
      return { id, nodes: nodes.filter(isOurs) };
    }))`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
