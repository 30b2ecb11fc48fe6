/** A film's poster: a figure for its kind over a coloured sky, and title, year and director. */

import type { Movie } from '../../data/records.js';
import { type MotifName, motifs } from './draw-motif.js';
import { fitText } from './fit-text.js';
import { paletteOf } from './palette-of.js';
import { pick, seededNumbers } from './seeded-numbers.js';
import { element, linearGradient, svgDocument, textLines } from './svg.js';

const width = 400;
const height = 600;
const sans = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';

/** The first of a film's genres in this order decides, since nearly everything is a drama as well. */
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
  const { top, middle, bottom, light, accent } = paletteOf(id);
  const [, choices] = motifsByGenre.find(([genre]) => genres.includes(genre)) ?? ['', ['horizon']];
  const drawing = motifs[pick<MotifName>(next, choices)](next, { light, accent, dark: bottom });

  const lineHeight = 1.08;
  const heading = fitText(title.toLocaleUpperCase('en'), {
    width: 348,
    height: 172,
    lineHeight,
    fontSizes: [54, 48, 42, 37, 33, 29, 25],
  });
  const credit = fitText(`A film by ${director}`, {
    width: 348,
    height: 40,
    lineHeight: 1.25,
    fontSizes: [17, 15],
  });
  const creditTop = 562 - (credit.lines.length - 1) * 20;
  const headingLine = heading.fontSize * lineHeight;
  const headingTop = creditTop - 74 - (heading.lines.length - 1) * headingLine;

  const shadeTop = headingTop - headingLine - 90;

  return svgDocument({
    viewBox: [width, height],
    title: `${title} (${year}), directed by ${director}`,
    definitions: [
      linearGradient({
        id: 'sky',
        to: [0, 1],
        stops: [
          [0, top],
          [0.5, middle],
          [1, bottom],
        ],
      }),
      linearGradient({
        id: 'shade',
        to: [0, 1],
        stops: [
          [0, bottom, 0],
          [0.5, bottom, 0.86],
          [1, bottom, 1],
        ],
      }),
    ],
    content: [
      element('rect', { width, height, fill: 'url(#sky)' }),
      element('g', { transform: 'translate(14 34) scale(1.24)' }, drawing),
      element('rect', { y: shadeTop, width, height: height - shadeTop, fill: 'url(#shade)' }),
      textLines([String(year)], {
        x: width / 2,
        y: creditTop - 34,
        lineHeight: 0,
        'font-family': sans,
        'font-size': 17,
        'font-weight': 600,
        'letter-spacing': 6,
        fill: light,
      }),
      textLines(heading.lines, {
        x: width / 2,
        y: headingTop,
        lineHeight: headingLine,
        'font-family': sans,
        'font-size': heading.fontSize,
        'font-weight': 800,
        fill: '#ffffff',
      }),
      textLines(credit.lines, {
        x: width / 2,
        y: creditTop,
        lineHeight: 20,
        'font-family': sans,
        'font-size': credit.fontSize,
        fill: '#ffffff',
        'fill-opacity': 0.8,
      }),
    ],
  });
}
