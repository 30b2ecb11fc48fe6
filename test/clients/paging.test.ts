import LinkHeader from 'http-link-header';
import { Client } from 'ketting';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();

async function walk(address: string, relation: string): Promise<number[][]> {
  const pages: number[][] = [];
  let next: string | undefined = address;
  while (next !== undefined) {
    const response = await fetch(next);
    const list = (await response.json()) as { id: number }[];
    pages.push(list.map(({ id }) => id));
    const links = LinkHeader.parse(response.headers.get('link') ?? '');
    next = links.rel(relation)[0]?.uri;
  }
  return pages;
}

describe('http-link-header', () => {
  test('walks the Link style from end to end and back', async () => {
    const address = `${service.url}/api/pagination/link`;
    const forth = await walk(`${address}?per_page=9`, 'next');
    expect(forth.flat()).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    const first = await fetch(`${address}?per_page=9`);
    const [last] = LinkHeader.parse(first.headers.get('link') ?? '').rel('last');
    const back = await walk(last?.uri ?? '', 'prev');
    expect(back.reverse()).toEqual(forth);
  });

  test.each(['limit=7', 'limit=7&offset=0', 'limit=7&sort=-id&category_ne=x&q=%20'])(
    'walks the events by ?%s',
    async (query) => {
      const address = `${service.url}/api/Events`;
      const unpaged = query.replace(/&?(?:limit|offset)=\d+/g, '');
      const all = (await (await fetch(`${address}?${unpaged}`)).json()) as {
        id: number;
      }[];
      const pages = await walk(`${address}?${query}`, 'next');
      expect(pages.flat()).toEqual(all.map(({ id }) => id));
      expect(pages).toHaveLength(5);
    },
  );

  test('follows the successor of the old profile', async () => {
    const response = await fetch(`${service.url}/api/v1/profile`);
    const [link] = LinkHeader.parse(response.headers.get('link') ?? '').rel('successor-version');
    expect(link?.uri).toBe(`${service.url}/api/v2/profile`);
  });
});

describe('ketting', () => {
  test('walks the pages and their items by their links only', async () => {
    const client = new Client(`${service.url}/api/pagination/hal?size=40`);
    const seen: number[] = [];
    let page = client.go();
    for (;;) {
      for (const item of await page.followAll('items')) {
        const { data } = await item.get();
        seen.push(data.id);
        expect(item.uri).toBe(`${service.url}/api/pagination/items/${data.id}`);
      }
      const state = await page.get();
      expect(state.data).toEqual({
        page: { size: 40, totalElements: 100, totalPages: 3, number: ((seen.length - 1) / 40) | 0 },
      });
      if (!state.links.has('next')) break;
      page = await page.follow('next');
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    const [first] = await (await page.follow('first')).followAll('items');
    const fresh = await new Client(first?.uri ?? '').go().get();
    expect(fresh.data).toMatchObject({ id: 1 });
    expect((await fresh.follow('collection').get()).data).toMatchObject({ page: { size: 10 } });
  });
});
