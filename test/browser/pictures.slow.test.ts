import { expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
const { products, movies, people, photos, books } = loadDatasets();

test('a browser can show every image', async () => {
  const paths = [
    ...products.map(({ image }) => image),
    ...movies.map(({ poster }) => poster),
    ...people.map(({ avatar }) => avatar),
    ...books.map(({ id }) => `/images/books/${id}.svg`),
    ...photos.map(({ url }) => url),
    ...photos.slice(0, 20).map(({ thumbnailUrl }) => thumbnailUrl),
  ];
  const page = await browser.open(`${service.url}/health`);
  const images = paths.map((path) => `<img src="${service.url}${path}" width="40">`);
  await page.setContent(images.join(''));
  const widths = await page.evaluate<number[]>(
    'Promise.all([...document.images].map((image) => image.decode().then(() => image.naturalWidth, () => 0)))',
  );
  expect(widths).toHaveLength(paths.length);
  expect(paths.filter((_path, index) => !widths[index])).toEqual([]);
});

test.each([
  '/images/products/1.svg',
  '/images/movies/4.svg',
  '/images/books/19.svg',
  '/images/people/1.svg',
  '/images/photos/1.svg',
])('%s is shown by itself under its policy, which it does not violate', async (path) => {
  const page = await browser.open(`${service.url}${path}`);
  expect(await page.title()).not.toBe('');
  expect(await page.evaluate('document.documentElement.getBBox().width')).toBeGreaterThan(0);
});
