/** Chromium's EventSource and WebSocket, and the page that lets people try them. */

import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { findFaintText } from '../support/find-faint-text.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

/** Chromium logs messages of the page, and the sockets it opened. */
const sockets =
  /opened a socket|WebSocket connection to|Failed to load resource|EventSource's response/;

test('EventSource reads every variant, reconnects with its last id, and stops at 204', async () => {
  const page = await browser.open(`${service.url}/health`, { expectedErrors: sockets });
  const got = await page.evaluate(async () => {
    function read(path: string): Promise<string[]> {
      const source = new EventSource(path);
      const seen: string[] = [];
      return new Promise((resolve) => {
        const end = () => {
          source.close();
          resolve(seen);
        };
        source.onmessage = ({ data, lastEventId }) => {
          seen.push(`${lastEventId}|${data.length > 100 ? data.length : data}`);
        };
        source.addEventListener('end', end);
        source.onerror = () => {
          if (source.readyState === EventSource.CLOSED || path.includes('error-')) end();
        };
      });
    }
    const kinds =
      'comments multiline cr lf crlf bom no-colon empty-data nul-id bad-retry split-utf8 long-line wrong-type error-before error-middle';
    const variants: Record<string, string[]> = {};
    for (const kind of kinds.split(' ')) variants[kind] = await read(`/api/sse/variants/${kind}`);
    const clock = await read('/s/chromium/api/sse/clock?count=5&interval=0&dropAfter=2&retry=1');
    return { variants, clock: clock.map((each) => each.split('|')[0]) };
  });
  expect(got.clock).toEqual(['1', '2', '3', '4', '5']);
  expect(got.variants).toEqual({
    comments: ['|first\nsecond'],
    multiline: ['|first\nsecond\n third, with a space\n'],
    cr: ['|first\nsecond'],
    lf: ['|first\nsecond'],
    crlf: ['|first\nsecond'],
    bom: ['|after the mark'],
    'no-colon': ['|', '|\n'],
    'empty-data': ['|'],
    'nul-id': ['1|first', '1|second'],
    'bad-retry': ['|after them'],
    'split-utf8': ['|😀 é'],
    'long-line': [`|${1024 * 1024}`],
    'wrong-type': [],
    'error-before': [],
    'error-middle': ['|first'],
  });
});

test('WebSocket sends, receives and closes, and fails on broken frames', async () => {
  const page = await browser.open(`${service.url}/health`, { expectedErrors: sockets });
  const got = await page.evaluate(
    async (base) => {
      function talk(path: string, text?: string, protocols: string[] = []): Promise<unknown[]> {
        const socket = new WebSocket(`${base}/s/chromium/api/ws/${path}`, protocols);
        const seen: unknown[] = [];
        return new Promise((resolve) => {
          socket.onopen = () => text !== undefined && socket.send(text);
          socket.onmessage = ({ data }) => {
            seen.push(data);
            if (data === text) socket.close(1000);
          };
          socket.onclose = ({ code, reason }) => resolve([...seen, code, reason, socket.protocol]);
        });
      }
      const broken: Record<string, unknown[]> = {};
      for (const kind of 'reserved-bits bad-length invalid-utf8 long-control wrong-accept orphan-continuation masked close-one-byte close-invalid-reason'.split(
        ' ',
      )) {
        broken[kind] = await talk(`broken/${kind}`);
      }
      return {
        broken,
        echo: await talk('echo', 'hello'),
        close: await talk('close?code=4321&reason=bye'),
        protocol: await talk('protocols', 'hi', ['none', 'chat.v2']),
        rejected: await talk('refuse/503'),
      };
    },
    service.url.replace('http', 'ws'),
  );
  for (const [kind, seen] of Object.entries(got.broken))
    expect([kind, ...seen]).toEqual([kind, 1006, '', '']);
  expect(got).toMatchObject({
    echo: ['hello', 1000, '', ''],
    close: [4321, 'bye', ''],
    protocol: ['hi', 1000, '', 'chat.v2'],
    rejected: [1006, '', ''],
  });
  browser.takeFaults();
});

test.each(['light', 'dark'] as const)(
  'the page connects, sends and shows, by keyboard, on a phone, %s',
  async (colorScheme) => {
    const viewport = { width: 360, height: 740 };
    const page = await browser.open(`${service.url}/realtime`, {
      colorScheme,
      viewport,
      expectedErrors: sockets,
    });
    await page.fill('#events-path', '/api/sse/clock?count=2&interval=0');
    await page.focus('#events-path');
    await page.keyboard.press('Enter');
    await page.locator('#events-log li', { hasText: '"n":2' }).waitFor();
    await page.focus('#socket-path');
    await page.keyboard.press('Enter');
    await page
      .locator('#socket-state', { hasText: 'connected' })
      .and(page.locator('[data-state="open"]'))
      .waitFor();
    await page.focus('#message');
    await page.keyboard.press('Enter');
    await page.locator('#socket-log li.received', { hasText: 'hello' }).waitFor();
    await page.click('#socket-close');
    await page.locator('#socket-state', { hasText: 'closed, 1000' }).waitFor();
    await page.fill('#document', 'subscription { todoChanged { kind todo { title } } }');
    await page.focus('#subscribe');
    await page.keyboard.press('Enter');
    await page.locator('#subscription-state[data-state="open"]').waitFor();
    // No message says when a subscription has begun: a change may be earlier.
    const entries = page.locator('#subscription-log li.received', { hasText: '"kind":"CREATED"' });
    const addAndCount = async () => {
      await page.click('#add-todo');
      return entries.count();
    };
    await expect.poll(addAndCount).toBeGreaterThan(0);
    await page.click('#unsubscribe');
    await page.locator('#subscription-state', { hasText: 'closed, 1000' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await page.evaluate(findFaintText)).toEqual([]);
    browser.takeFaults();
  },
);

test('each thing to try fills in its form and runs, and empty panels say what will appear', async () => {
  const page = await browser.open(`${service.url}/realtime`, { expectedErrors: sockets });
  expect(await page.locator('.empty:visible').count()).toBe(3);
  const tried: readonly (readonly [name: string, log: string, entry: string])[] = [
    ['A clock with ten ticks', '#events-log li.received', '"n":1'],
    ['A connection that breaks and resumes', '#events-log li.status', 'reconnects by itself'],
    ['Changes of books', '#events-log li.received', 'Changed at'],
    ['An echo of your message', '#socket-log li.received', 'hello'],
    ['Ten messages from the server', '#socket-log li.received', '"n":1'],
    ['A close with code 4000', '#socket-log li', 'close 4000'],
    ['Changes of todos', '#subscription-log li.received', 'Added at'],
    ['A countdown', '#subscription-log li.received', '"countdown":5'],
    ['An unknown field, and its error', '#subscription-log li.received', 'unknown'],
  ];
  for (const [name, log, entry] of tried) {
    const button = page.getByRole('button', { name });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator(log, { hasText: entry }).first().waitFor();
  }
  expect(await page.locator('.empty:visible').count()).toBe(0);
  browser.takeFaults();
});
