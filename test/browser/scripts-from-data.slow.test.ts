/** Scripts that callers choose run on no page, although they come from the same origin. */

import { expect, test } from 'vitest';
import { type PageName, pageNames, pathsOf } from '../../src/kit/pages/pages.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

/** URLs of pages that other routes send. */
const elsewhere: Partial<Readonly<Record<PageName, string>>> = {
  landing: '/',
  guides: '/guides/caching',
  tls: '/api/tls',
  passkeys: '/api/auth/passkeys',
  oidc: '/oidc',
  mcp: '/mcp',
  llm: '/llm',
  my: '/my',
  list: '/api/auth',
  error: '/nothing',
  ide: '/graphql',
};

const pages = pageNames.map((name) => [name, pathsOf(name)[0] ?? elsewhere[name] ?? ''] as const);

/** Responses with a JavaScript type whose text a caller chooses. */
const scripts = [
  '/json-server/db?callback=ran',
  '/s/any/json-server/db?callback=ran',
  '/assets/../json-server/db?callback=ran',
  '/assets/%2e%2e/json-server/db?callback=ran',
];

/** Adds scripts as an attacker could who had found a way to, and returns what happened. */
const addScripts = (urls: readonly string[]) => `(async () => {
  window.trustedTypes?.defaultPolicy ?? window.trustedTypes?.createPolicy('default', { createScriptURL: (url) => url });
  window.ran = undefined;
  const blocked = [];
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) =>
    blocked.push(effectiveDirective + ' ' + new URL(blockedURI).pathname));
  const outcomes = [];
  for (const url of ${JSON.stringify(urls)}) {
    outcomes.push(await new Promise((resolve) => {
      const element = document.createElement('script');
      element.onload = () => resolve('loaded');
      element.onerror = () => resolve('failed');
      if (url.endsWith('.js')) element.type = 'module';
      element.src = url;
      document.head.append(element);
    }));
  }
  return { outcomes, blocked, ran: window.ran };
})()`;

const expectedErrors = /Content Security Policy|violates|status of 40\d/;

test.each(pages)('no script from data runs on the page %s', async (_name, path) => {
  for (const url of scripts) {
    const { headers } = await service.send(`GET ${url.replace(/^\/assets\/[^/]+/, '')}`);
    expect(headers['content-type'], url).toContain('text/javascript');
  }
  const page = await browser.open(service.url + path, { expectedErrors });
  const own = await page.locator('script[src]').first().getAttribute('src');
  const seen = await page.evaluate(addScripts(scripts));
  expect(seen).toEqual({
    outcomes: scripts.map(() => 'failed'),
    blocked: scripts.map((url) => `script-src-elem ${new URL(url, 'http://host').pathname}`),
    ran: undefined,
  });
  // The page's own files are scripts to it.
  const url = new URL(own ?? '', page.url()).pathname;
  expect(await page.evaluate(addScripts([url]))).toMatchObject({ outcomes: ['loaded'] });
});

test.each(['/s/own-scripts', ''])('pages below %s/ load their scripts', async (prefix) => {
  const page = await browser.open(`${service.url}${prefix}/docs`);
  await page.locator('.filter:not([hidden])').waitFor();
});

test.each(pages.filter(([name]) => name !== 'ide'))(
  'the page %s rejects text as markup',
  async (_name, path) => {
    const page = await browser.open(service.url + path, {
      expectedErrors: /TrustedHTML|violates|40\d/,
    });
    const add = page.evaluate("document.body.insertAdjacentHTML('beforeend', '<b>text</b>')");
    await expect(add).rejects.toThrow(/TrustedHTML/);
  },
);
