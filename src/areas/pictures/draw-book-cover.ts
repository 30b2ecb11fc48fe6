/** A book's cover: cloth in one colour, a figure for the genre, title and author. */

import type { Book } from '../../data/records.js';
import { mix } from './color.js';
import { type MotifName, motifs } from './draw-motif.js';
import { fitText } from './fit-text.js';
import { paletteOf } from './palette-of.js';
import { pick, seededNumbers } from './seeded-numbers.js';
import { element, linearGradient, svgDocument, textLines } from './svg.js';

const width = 400;
const height = 600;
const serif = 'Georgia, Cambria, Times New Roman, serif';

const motifsByGenre: Readonly<Record<string, readonly [MotifName, ...MotifName[]]>> = {
  Classic: ['rosette', 'horizon', 'eclipse'],
  Fantasy: ['mountains', 'rays'],
  Mystery: ['keyhole', 'skyline'],
  'Non-Fiction': ['arcs', 'eclipse'],
  'Science Fiction': ['planet'],
  Technology: ['grid'],
};

type CoverText = Pick<Book, 'id' | 'title' | 'author' | 'genre'>;

export function drawBookCover({ id, title, author, genre }: CoverText): string {
  const next = seededNumbers(`book ${id}`);
  const { middle, bottom, light, accent } = paletteOf(id);
  const motif = pick<MotifName>(next, motifsByGenre[genre] ?? ['rosette']);
  const drawing = motifs[motif](next, { light, accent, dark: bottom });

  const lineHeight = 1.15;
  const heading = fitText(title, {
    width: 304,
    height: 150,
    lineHeight,
    fontSizes: [46, 40, 36, 32, 28, 25, 22],
  });
  const names = fitText(author, {
    width: 304,
    height: 62,
    lineHeight: 1.25,
    fontSizes: [21, 18, 16],
  });
  const center = 208;
  const headingLine = heading.fontSize * lineHeight;
  const namesLine = names.fontSize * 1.25;

  return svgDocument({
    viewBox: [width, height],
    title: `${title} by ${author}`,
    definitions: [
      linearGradient({
        id: 'spine',
        to: [1, 0],
        stops: [
          [0, '#000000', 0.35],
          [0.55, '#ffffff', 0.16],
          [1, '#000000', 0.28],
        ],
      }),
      linearGradient({
        id: 'sheen',
        to: [1, 1],
        stops: [
          [0, '#ffffff', 0.16],
          [0.6, '#ffffff', 0],
          [1, '#000000', 0.22],
        ],
      }),
      element('clipPath', { id: 'window' }, [
        element('rect', { x: 83, y: 212, width: 250, height: 250, rx: 4 }),
      ]),
    ],
    content: [
      element('rect', { width, height, fill: middle }),
      element('rect', {
        x: 83,
        y: 212,
        width: 250,
        height: 250,
        rx: 4,
        fill: mix(middle, bottom, 0.4),
      }),
      element('g', { 'clip-path': 'url(#window)' }, [
        element('g', { transform: 'translate(83 212) scale(0.8333)' }, drawing),
      ]),
      element('rect', {
        x: 36,
        y: 20,
        width: 344,
        height: 560,
        rx: 3,
        fill: 'none',
        stroke: light,
        'stroke-width': 2,
      }),
      element('rect', {
        x: 42,
        y: 26,
        width: 332,
        height: 548,
        rx: 2,
        fill: 'none',
        stroke: light,
        'stroke-opacity': 0.6,
      }),
      textLines(heading.lines, {
        x: center,
        y: 122 + heading.fontSize * 0.35 - ((heading.lines.length - 1) * headingLine) / 2,
        lineHeight: headingLine,
        'font-family': serif,
        'font-size': heading.fontSize,
        'font-weight': 700,
        fill: light,
      }),
      textLines(names.lines, {
        x: center,
        y: 520 + names.fontSize * 0.35 - ((names.lines.length - 1) * namesLine) / 2,
        lineHeight: namesLine,
        'font-family': serif,
        'font-size': names.fontSize,
        'font-style': 'italic',
        fill: '#ffffff',
        'fill-opacity': 0.92,
      }),
      element('rect', { width, height, fill: 'url(#sheen)' }),
      element('rect', { width: 22, height, fill: 'url(#spine)' }),
    ],
  });
}
