/**
 * Draws a film poster: a motif for its genre over a coloured sky, with title, year and director.
 */

import { pick, seededNumbers } from '#base/seeded-numbers.js';
import type { Movie } from '#data/records.js';
import { white } from './color.js';
import { type MotifName, motifs } from './draw-motif.js';
import { fitText } from './fit-text.js';
import { paletteOf } from './palette-of.js';
import { element, linearGradient, sans, svgDocument, textLines } from './svg.js';

const width = 400;
const height = 600;
const headingBox = {
  width: 348,
  height: 172,
  lineHeight: 1.08,
  fontSizes: [54, 48, 42, 37, 33, 29, 25],
};
const creditBox = { width: 348, height: 40, lineHeight: 1.25, fontSizes: [17, 15] };

/** The first match in this order decides, because nearly every film is also a drama. */
const motifsByGenre: readonly (readonly [string, readonly [MotifName, ...MotifName[]]])[] = [
  ['Horror', ['keyhole']],
  ['Science Fiction', ['planet', 'rays', 'arcs']],
  ['Animation', ['bubbles', 'eclipse', 'mountains']],
  ['Fantasy', ['mountains', 'rosette']],
  ['Crime', ['skyline', 'keyhole']],
  ['Thriller', ['keyhole', 'grid']],
  ['Romance', ['eclipse', 'horizon']],
  ['Adventure', ['mountains', 'rays']],
  ['History', ['rays']],
  ['Comedy', ['bubbles', 'rays']],
  ['Drama', ['horizon', 'arcs']],
];

type PosterText = Pick<Movie, 'id' | 'title' | 'year' | 'director' | 'genres'>;

export function drawMoviePoster({ id, title, year, director, genres }: PosterText): string {
  const next = seededNumbers(`movie ${id}`);
  const palette = paletteOf(id);
  const { top, middle, bottom, light } = palette;
  const [, choices] = motifsByGenre.find(([genre]) => genres.includes(genre)) ?? ['', ['horizon']];
  const drawing = motifs[pick<MotifName>(next, choices)](next, palette);

  const heading = fitText(title.toLocaleUpperCase('en'), headingBox);
  const credit = fitText(`A film by ${director}`, creditBox);
  const creditTop = 562 - (credit.lines.length - 1) * 20;
  const headingLine = heading.fontSize * headingBox.lineHeight;
  const headingTop = creditTop - 74 - (heading.lines.length - 1) * headingLine;
  const shadeTop = headingTop - headingLine - 90;

  return svgDocument({
    viewBox: [width, height],
    title: `${title} (${year}), directed by ${director}`,
    definitions: [
      linearGradient('sky', [0, 1], [0, top], [0.5, middle], [1, bottom]),
      linearGradient('shade', [0, 1], [0, bottom, 0], [0.5, bottom, 0.86], [1, bottom, 1]),
    ],
    content: [
      element('rect', { width, height, fill: 'url(#sky)' }),
      element('g', { transform: 'translate(14 34) scale(1.24)' }, drawing),
      element('rect', { y: shadeTop, width, height: height - shadeTop, fill: 'url(#shade)' }),
      textLines([String(year)], [width / 2, creditTop - 34], 0, [sans, 17], {
        'font-weight': 600,
        'letter-spacing': 6,
        fill: light,
      }),
      textLines(heading.lines, [width / 2, headingTop], headingLine, [sans, heading.fontSize], {
        'font-weight': 800,
        fill: white,
      }),
      textLines(credit.lines, [width / 2, creditTop], 20, [sans, credit.fontSize], {
        fill: white,
        'fill-opacity': 0.8,
      }),
    ],
  });
}
