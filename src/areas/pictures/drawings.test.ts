import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadDatasets } from '#data/load-datasets.js';
import { drawAvatar, initialsOf } from './draw-avatar.js';
import { drawBookCover } from './draw-book-cover.js';
import { drawMoviePoster } from './draw-movie-poster.js';
import { drawPhoto } from './draw-photo.js';
import { drawPictogram } from './draw-pictogram.js';
import { drawProduct } from './draw-product.js';

const hostile = `</text><script>alert("1")</script>&${'long '.repeat(200)}`;
const none = '';

/** Draws a record with hostile text in each kind of image. */
const drawings: Readonly<Record<string, (text: string) => string>> = {
  product: (title) => drawProduct({ id: 1, title, category: title }),
  movie: (title) => drawMoviePoster({ id: 1, title, year: 1, director: title, genres: [title] }),
  book: (title) => drawBookCover({ id: 1, title, author: title, genre: title }),
  avatar: (name) => drawAvatar({ id: 1, firstName: name, lastName: name }),
  photo: (title) => drawPhoto({ id: 1, title }, 300),
};

test.each(Object.entries(drawings))(
  'hostile text in a %s stays text in a closed drawing',
  (_name, draw) => {
    for (const text of [hostile, none, '\u0000', '🎬'.repeat(90)]) {
      const svg = draw(text);
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
      expect(svg).toMatch(/<\/svg>$/);
      expect(svg).not.toMatch(/<script|NaN|undefined|href=/);
      // Every < must open or close one of our tags.
      const names = [...svg.matchAll(/<\/?([^\s/>]*)/g)].map(([, name]) => name);
      for (const name of names) expect(name).toMatch(/^[a-zA-Z]+$/);
    }
  },
);

test.each(Object.entries(drawings))('a %s is the same each time', (_name, draw) => {
  expect(draw('A title')).toBe(draw('A title'));
});

test('images of different ids differ', () => {
  const photos = Array.from({ length: 500 }, (_, index) =>
    drawPhoto({ id: index + 1, title: '' }, 300),
  );
  expect(new Set(photos).size).toBe(500);
});

test('a thumbnail is the same view, smaller', () => {
  const photo = drawPhoto({ id: 7, title: 'Boats' }, 1200);
  const thumbnail = drawPhoto({ id: 7, title: 'Boats' }, 300);
  expect(photo).toContain('width="1200" height="800" viewBox="0 0 1200 800"');
  expect(thumbnail).toBe(photo.replace('width="1200" height="800"', 'width="300" height="200"'));
});

test.each([
  [['Elif', 'Aydın'], 'EA'],
  [['İnci', 'ışık'], 'İI'],
  [['Liam', "O'Sullivan"], 'LO'],
  [['Yasmin', 'Al-Sayed'], 'YA'],
  [[' élodie ', ''], 'É'],
  [['👩‍🚀 Astra', 'naut'], '👩‍🚀N'],
])('the initials of %s are %s', (names, initials) => {
  expect(initialsOf(...names)).toBe(initials);
});

describe('a pictogram', () => {
  const inks = { main: '#111111', dark: '#222222', light: '#333333', accent: '#444444' };
  const folder = new URL('../../../data/pictograms/', import.meta.url);

  test('is a parcel for unknown titles', () => {
    expect(drawPictogram('Something else', inks)).toHaveLength(4);
    expect(drawPictogram('Red headphones', inks)).not.toEqual(drawPictogram('A tent', inks));
  });

  test.each([
    ['Organic Cotton T-Shirt', 't-shirt'],
    ['Linen Summer Shirt', 'shirt'],
    ['Cooperative Board Game: Lighthouse Keepers', 'board-game'],
    ['E-READER', 'e-reader'],
  ])('of %s is the pictogram %s', (title, name) => {
    expect(drawPictogram(title, inks)).toEqual(drawPictogram(name, inks));
  });

  test('exists for every product of the sample data', () => {
    const drawings = loadDatasets().products.map(({ title }) => drawPictogram(title, inks).join());
    expect(new Set(drawings).size).toBe(drawings.length);
    expect(drawings).not.toContain(drawPictogram('parcel', inks).join());
  });

  test.each(readdirSync(folder))(
    '%s is an SVG with one shape per line, in known colours',
    (file) => {
      const [first, ...rest] = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
      expect(first).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 200 200"/);
      expect(rest.pop()).toBe('</svg>');
      for (const shape of rest) expect(shape).toMatch(/^<(?:path|rect|circle) [^<>]*\/>$/);
      const drawn = drawPictogram(file.replace('.svg', ''), inks);
      expect(drawn.filter((shape) => /var\(|undefined/.test(shape))).toEqual([]);
    },
  );
});
