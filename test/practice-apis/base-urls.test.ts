/** The base URLs, which people open before anything else. */

import { expect, test } from 'vitest';
import { dialects } from '../../src/areas/practice-apis/dialects.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

/** Returns the number of declared paths below a base URL. */
function declaredBelow(target: string): number {
  const base = `${target.replace(/\/$/, '')}/`;
  const below = dialects.flatMap(({ routes }) => routes).filter((path) => path.startsWith(base));
  return new Set(below).size;
}

test('each base URL lists what is below it, and browsers get a page', async () => {
  const { url } = service;
  const { practiceApis } = (await send('GET /api/practice-apis')).json;
  for (const { title, baseUrls } of practiceApis) {
    for (const base of baseUrls as string[]) {
      const path = base.slice(url.length);
      for (const target of [path, `${path}/`, `/s/mine${path}`, `/${path.split('/')[1]}`]) {
        const { status, json } = await send(`GET ${target}`);
        expect([target, status, json.name]).toEqual([target, 200, title]);
        const below = `${url}${target.replace(/\/$/, '')}/`;
        const paths = json.endpoints.map((each: { url: string }) => each.url.slice(below.length));
        const declared = declaredBelow(target.replace('/s/mine', ''));
        expect(declared, target).toBeGreaterThan(0);
        expect(new Set(paths).size, target).toBeGreaterThanOrEqual(declared);
        expect((await send(`GET ${json.first.slice(url.length)}`)).status, json.first).toBe(200);
        for (const each of json.endpoints) expect(each.url).toContain(below);
      }
      const page = await send(`GET ${path}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect(page.headers['content-type'], path).toBe('text/html; charset=utf-8');
      expect(page.text).toContain(`<h1>${title}</h1>`);
      expect(page.text).toContain('guides/practice-apis/');
      expect(page.text).toContain(`<code>${base}</code>`);
    }
  }
});
