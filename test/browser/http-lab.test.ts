/** Chromium's own cache, cookie jar and redirects against the HTTP lab. */

import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
const { send } = service;

interface Cookie {
  readonly name: string;
  readonly value: string;
}
interface Shown {
  readonly keeps: readonly Cookie[];
  readonly cookies: readonly Cookie[];
}
interface Verdict {
  readonly isComplete: boolean;
  readonly cookies: readonly { readonly name: string; readonly isRight: boolean }[];
}

/** Chromium drops a cookie that contains a tab, which the draft allows. */
const otherwise = new Set(['tab-in-value']);

/** Any page of the service, from which other resources are requested. */
const openPage = () => browser.open(`${service.url}/health`);

async function statusesOf(path: string): Promise<number[]> {
  const { hits } = (await send(`GET ${path}/hits`)).json;
  return hits.map(({ status }: { status: number }) => status);
}

test("Chromium's reload is no breach of freshness", async () => {
  const path = '/s/reload/api/http/cache/page';
  const page = await browser.open(`${service.url}${path}?maxAge=60`);
  await page.reload();
  const { hits, verdicts } = (await send(`GET ${path}/hits`)).json;
  expect(hits.at(-1).headers['cache-control']).toBe('max-age=0');
  const outcomes = verdicts.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes.length).toBeGreaterThan(3);
  expect(new Set(outcomes)).toEqual(new Set(['not-reached']));
});

test("Chromium's cache revalidates when it should, and not before", async () => {
  const page = await openPage();
  /** The requests that arrived after this many fetches of a resource, one after another. */
  async function arrivals(name: string, choices: string, languages: readonly string[] = ['', '']) {
    const path = `/s/chromium/api/http/cache/${name}`;
    await page.evaluate(
      async ([url, all]) => {
        for (const language of all) {
          const headers: Record<string, string> = language === '' ? {} : { 'X-Language': language };
          await (await fetch(url, { headers })).text();
        }
      },
      [`${path}?${choices}`, languages] as const,
    );
    return statusesOf(path);
  }
  expect(await arrivals('fresh', 'maxAge=600')).toEqual([200]);
  expect(await arrivals('private', 'maxAge=600&private=true')).toEqual([200]);
  expect(await arrivals('expires', 'expires=600')).toEqual([200]);
  expect(await arrivals('no-store', 'maxAge=600&noStore=true')).toEqual([200, 200]);
  expect(await arrivals('stale', 'maxAge=60&age=61')).toEqual([200, 304]);
  expect(await arrivals('weak', 'maxAge=0&etag=weak')).toEqual([200, 304]);
  expect(await arrivals('date', 'maxAge=0&etag=none&lastModified=2026-01-01')).toEqual([200, 304]);
  expect(await arrivals('none', 'maxAge=0&etag=none')).toEqual([200, 200]);
  expect(await arrivals('vary', 'maxAge=600&vary=X-Language', ['de', 'de'])).toEqual([200]);
  expect(await arrivals('varied', 'maxAge=600&vary=X-Language', ['de', 'fr'])).toEqual([200, 200]);
});

test('Chromium keeps exactly the malformed cookies that clients should keep', async () => {
  const page = await openPage();
  const { kinds } = (await send('GET /api/http/cookies/malformed')).json;
  const wrong: unknown[] = [];
  for (const { kind, url } of kinds) {
    if (otherwise.has(kind)) continue;
    await page.context().clearCookies();
    const [keeps, cookies] = await page.evaluate(async (address) => {
      const first = (await (await fetch(address)).json()) as Shown;
      const second = (await (await fetch(address)).json()) as Shown;
      return [first.keeps, second.cookies] as const;
    }, url);
    const sorted = (list: readonly Cookie[]) =>
      [...list].sort((a, b) => (a.name < b.name ? -1 : 1));
    if (JSON.stringify(sorted(keeps)) !== JSON.stringify(sorted(cookies))) {
      wrong.push([kind, keeps, cookies]);
    }
  }
  expect(wrong).toEqual([]);
});

test("Chromium's jar is right about every cookie of the exercise", async () => {
  const page = await openPage();
  const verdict = await page.evaluate(async () => {
    const started = await fetch('/s/chromium/api/http/cookies/jar', { method: 'POST' });
    const { steps, verdict } = (await started.json()) as { steps: string[]; verdict: string };
    for (const step of steps) await (await fetch(step)).text();
    return (await (await fetch(verdict)).json()) as Verdict;
  });
  expect(verdict).toMatchObject({ isComplete: true });
  const wrong = verdict.cookies.filter(({ isRight }) => !isRight);
  expect(wrong).toEqual([]);
});

test('Chromium follows redirects in every form, and keeps a scripted cookie at its path', async () => {
  const page = await openPage();
  for (const form of ['path', 'absolute', 'relative']) {
    await page.goto(
      `${service.url}/s/chromium/api/http/redirect/5?form=${form}&status=301,302,303,307,308`,
    );
    expect(page.url()).toBe(`${service.url}/s/chromium/api/http/redirect/end?hops=5`);
  }
  const cookies = await page.evaluate(async () => {
    const script = { headers: { 'Set-Cookie': 'scripted=1' }, status: 204 };
    const headers = { 'Content-Type': 'application/json' };
    await fetch('/api/http/respond', { method: 'POST', headers, body: JSON.stringify(script) });
    return ((await (await fetch('/api/http/cookies')).json()) as Shown).cookies;
  });
  expect(cookies).toEqual([]);
  const [kept] = await page.context().cookies(`${service.url}/api/http/respond`);
  expect(kept).toMatchObject({ name: 'scripted', path: '/api/http/respond' });
});
