/** Every page shows where the focus is, and breaks no word. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

const paths = [
  '/',
  '/guides',
  '/guides/auth/basic',
  '/docs#/resources/getBooks',
  '/bins',
  '/realtime',
  '/oidc',
  '/class',
  '/account',
  '/tls',
  '/api',
  '/downloads',
  '/images',
  '/my',
  '/nothing-is-here',
];

/** A script that returns what has a focus ring with less than 3:1 (WCAG 2.2, 1.4.11). */
const faintRings = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [r, g, b] = rgba(colour).map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (rgba(backgroundColor)[3] > 250) return backgroundColor;
    }
    return 'white';
  };
  const faint = [];
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]');
  for (const element of [...all].slice(0, 200)) {
    if (!element.checkVisibility({ opacityProperty: true }) || element.matches('[type=radio]')) continue;
    element.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== element) continue;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const [one, two] = [light(outlineColor), light(behind(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    const name = element.outerHTML.slice(0, 100);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) faint.push('none: ' + name);
    else if (ratio < 3) faint.push(ratio.toFixed(2) + ': ' + name);
  }
  return faint;
})()`;

/** A script that returns the words of prose whose letters are in several lines. */
const brokenWords = `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest('code, pre, textarea, script, style, noscript, svg') !== null) continue;
    if (!parent.checkVisibility()) continue;
    for (const match of node.data.matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
      // A long URL must continue in the next line.
      if (node.data[match.index - 1] === '/') continue;
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (tops.size > 1) broken.push(match[0] + ' in ' + parent.outerHTML.slice(0, 100));
    }
  }
  return broken;
})()`;

async function open(path: string): Promise<Page> {
  const page = await browser.open(`${service.url}/health`, {
    viewport: { width: 1400, height: 900 },
    expectedErrors: /status of 404/,
  });
  await page.goto(service.url + path);
  // The page of the bins keeps a stream open.
  await page.waitForLoadState(path === '/bins' ? 'load' : 'networkidle');
  if (path.startsWith('/docs#')) await page.locator('.execute').waitFor();
  return page;
}

test.each(paths)('on %s every focus ring has 3:1, in both themes', async (path) => {
  const page = await open(path);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate<string[]>(faintRings), colorScheme).toEqual([]);
  }
});

test.each(paths)('on %s no word is broken, on any width', async (path) => {
  const page = await open(path);
  for (const width of [1400, 800, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate<string[]>(brokenWords), String(width)).toEqual([]);
  }
});
