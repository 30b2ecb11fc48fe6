/**
 * Headless Chromium for a test file; a page with an error or a request to another host fails its
 * test.
 */

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { commandsOf, missingPrograms } from './find-program.js';

export const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly javaScriptEnabled?: boolean;
  /** Console errors that the test causes on purpose, such as for a request that got 400. */
  readonly expectedErrors?: RegExp;
  /** For a certificate that the browser does not trust. */
  readonly ignoreHTTPSErrors?: boolean;
  /** Has parts of the page, at another port. */
  readonly otherOrigin?: string | undefined;
}

export interface TestBrowser {
  /** Opens a page that shares nothing with others; it is closed when the test ends. */
  readonly open: (url: string, options?: OpenOptions) => Promise<Page>;
  /** The errors of the open pages so far, which then no longer fail the test. */
  readonly takeFaults: () => string[];
}

let running: Promise<Browser> | undefined;

/** One for all files of a process: a start is as slow as a test. It ends with the process. */
async function sharedBrowser(): Promise<Browser> {
  const [executablePath = ''] = commandsOf('chromium');
  if ((await running)?.isConnected() !== true) {
    // A new profile in a temporary directory is the default.
    running = chromium.launch({ executablePath, args: flags });
  }
  return running as Promise<Browser>;
}

/**
 * Starts Chromium for the tests of the file. Where it is not installed the tests are skipped and
 * say so; in CI that is a failure. After each test every page it opened must have thrown nothing,
 * logged no error (a violation of the Content-Security-Policy is one) and requested nothing from
 * another origin.
 */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  let contexts: BrowserContext[] = [];
  let faults: string[] = [];

  const isMissing = missingPrograms(['chromium']).length > 0;
  beforeAll(async () => {
    if (!isMissing) browser = await sharedBrowser();
  });
  beforeEach((context) => {
    context.skip(isMissing);
  });
  afterEach(async () => {
    const open = contexts;
    contexts = [];
    for (const context of open) await context.close();
    expect(takeFaults(), 'What the pages of this test did wrong').toEqual([]);
  });

  function takeFaults(): string[] {
    const found = faults;
    faults = [];
    return found;
  }

  return {
    takeFaults,
    async open(url, { expectedErrors, otherOrigin, ...options } = {}) {
      if (browser === undefined) throw new Error('The browser runs only while tests do.');
      const context = await browser.newContext(options);
      contexts.push(context);
      const own = [new URL(url).origin, otherOrigin];
      const report = (fault: string) => {
        if (!expectedErrors?.test(fault)) faults.push(fault);
      };
      context.on('weberror', (error) => report(`threw: ${String(error.error())}`));
      context.on('console', (message) => {
        if (message.type() === 'error')
          report(`logged: ${message.text()} (${message.location().url})`);
      });
      context.on('request', (request) => {
        if (!isOwn(request.url(), own)) report(`requested: ${request.url()}`);
      });
      const page = await context.newPage();
      page.on('websocket', (socket) => report(`opened a socket: ${socket.url()}`));
      await page.goto(url);
      return page;
    },
  };
}

function isOwn(url: string, own: readonly (string | undefined)[]): boolean {
  const { protocol, origin } = new URL(url);
  return protocol === 'data:' || protocol === 'blob:' || own.includes(origin);
}
