/** The four purposes: a page for each thing that people come for. */

import { expect, test } from 'vitest';
import { purposePath, purposes } from '../../src/kit/front/purposes.js';
import { useService } from '../support/service.js';

const service = useService();
const headers = { accept: 'text/html' };
const read = async (path: string) => (await service.send(`GET ${path}`, { headers })).text;
const linksIn = (html: string) =>
  [...html.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href ?? '');

test('the front page and the header of each page have the four purposes', async () => {
  expect(purposes).toHaveLength(4);
  for (const path of ['/', '/docs', '/guides', '/bins', purposePath('test')]) {
    const links = linksIn(await read(path)).map(
      (href) => new URL(href, service.url + path).pathname,
    );
    for (const { name } of purposes) expect(links, path).toContain(purposePath(name));
  }
});

test('the front page has no number of endpoints as a headline, and no area twice', async () => {
  const text = await read('/');
  const headlines = [...text.matchAll(/<h[12][^>]*>(.*?)<\/h[12]>/gs)].map(([, each]) => each);
  expect(headlines.filter((each) => /\d+ endpoints/.test(each ?? ''))).toEqual([]);
  const titles = [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test.each(purposes.map(({ name }) => name))(
  'every link of the purpose %s leads somewhere',
  async (name) => {
    const path = purposePath(name);
    const html = await read(path);
    expect(html).toContain('aria-current="page"');
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    const links = linksIn(main);
    expect(links.length).toBeGreaterThan(3);
    for (const href of links) {
      const { pathname, hash } = new URL(href, service.url + path);
      const { status, text } = await service.send(`GET ${pathname}`, { headers });
      expect(status, href).toBe(200);
      if (hash === '') continue;
      // The script of the page of challenges shows the one of the fragment.
      const named =
        pathname === '/challenges'
          ? (await service.send(`GET /api/challenges/${hash.slice(1)}`)).text
          : text;
      expect(named, href).toMatch(new RegExp(`"?id"?[=:]\\s*"${hash.slice(1)}"`));
    }
  },
);

test('each line of a purpose works in a sandbox, and each client has a line and a test plan', async () => {
  const { areas } = await import('../../src/service.js');
  const entries = areas.flatMap(({ front }) => ('purposes' in front ? (front.purposes ?? []) : []));
  const clients = entries.filter(({ purpose }) => purpose === 'test');
  expect(clients.filter(({ line }) => line === undefined)).toEqual([]);
  // The verdicts have the plans of all.
  const planless = clients.filter(({ links }) => !links.some(([text]) => text === 'Test plan'));
  expect(planless.map(({ title }) => title)).toEqual(['Verdicts']);
  // The HTTP/2 lab has its own port; faults and verdicts apply to every path.
  const baseless = clients.filter(({ base }) => base === undefined).map(({ title }) => title);
  expect(baseless).toEqual(['HTTP/2', 'Retries', 'Verdicts']);
  expect(clients.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      'HTTP',
      'HTTP/2',
      'Identity',
      'Webhooks',
      'Webhook receivers',
      'Payments',
      'GraphQL',
      'gRPC',
      'MCP clients',
      'Language models',
    ]),
  );
  let sent = 0;
  for (const { line = '' } of entries) {
    const [, url, data] = /^curl -s [^{]*\{base\}([^ ]*)(?:.* -d '([^']*)')?/.exec(line) ?? [];
    if (url === undefined) continue;
    sent++;
    const method = / -X (\w+)/.exec(line)?.[1] ?? (data === undefined ? 'GET' : 'POST');
    const all: Record<string, string> = {};
    for (const [, name = '', value = ''] of line.matchAll(/-H '([^:]+): ([^']+)'/g))
      all[name] = value;
    // curl sends this type with data.
    if (data !== undefined) all['Content-Type'] ??= 'application/x-www-form-urlencoded';
    const { status, text } = await service.send(`${method} /s/purpose-${sent}${url}`, {
      headers: all,
      ...(data !== undefined && { body: data }),
    });
    expect(status, `${line}: ${text}`).toBeLessThan(300);
  }
  expect(sent).toBeGreaterThan(7);
});
