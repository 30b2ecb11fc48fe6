/** Draws a book cover: a single-coloured cloth, a motif for the genre, title and author. */

import { pick, seededNumbers } from '#base/seeded-numbers.js';
import type { Book } from '#data/records.js';
import { mix, white } from './color.js';
import { type MotifName, motifs } from './draw-motif.js';
import { paletteOf } from './palette-of.js';
import { element, linearGradient, rect, svgDocument, textInBox } from './svg.js';

const width = 400;
const height = 600;
const headingSizes = [46, 40, 36, 32, 28, 25, 22];
const black = '#000000';
/** The centre of the text. */
const center = 208;
const serif = 'Georgia, Cambria, Times New Roman, serif';

const motifsByGenre: Readonly<Record<string, readonly [MotifName, ...MotifName[]]>> = {
  Classic: ['rosette', 'horizon', 'eclipse'],
  Fantasy: ['mountains', 'rays'],
  Mystery: ['keyhole', 'skyline'],
  'Non-Fiction': ['arcs', 'eclipse'],
  'Science Fiction': ['planet'],
  Technology: ['grid'],
};

export function drawBookCover(book: Pick<Book, 'id' | 'title' | 'author' | 'genre'>): string {
  const { id, title, author, genre } = book;
  const next = seededNumbers(`book ${id}`);
  const palette = paletteOf(id);
  const { middle, bottom, light } = palette;
  const motif = pick<MotifName>(next, motifsByGenre[genre] ?? ['rosette']);
  const drawing = motifs[motif](next, palette);
  const heading = { width: 304, height: 150, lineHeight: 1.15, fontSizes: headingSizes };
  const names = { width: 304, height: 62, lineHeight: 1.25, fontSizes: [21, 18, 16] };
  const frame = { fill: 'none', stroke: light };
  return svgDocument({
    viewBox: [width, height],
    title: `${title} by ${author}`,
    definitions: [
      linearGradient('spine', [1, 0], [0, black, 0.35], [0.55, white, 0.16], [1, black, 0.28]),
      linearGradient('sheen', [1, 1], [0, white, 0.16], [0.6, white, 0], [1, black, 0.22]),
      element('clipPath', { id: 'window' }, [rect(83, 212, 250, 250, { rx: 4 })]),
    ],
    content: [
      element('rect', { width, height, fill: middle }),
      rect(83, 212, 250, 250, { rx: 4, fill: mix(middle, bottom, 0.4) }),
      element('g', { 'clip-path': 'url(#window)' }, [
        element('g', { transform: 'translate(83 212) scale(0.8333)' }, drawing),
      ]),
      rect(36, 20, 344, 560, { rx: 3, ...frame, 'stroke-width': 2 }),
      rect(42, 26, 332, 548, { rx: 2, ...frame, 'stroke-opacity': 0.6 }),
      textInBox(title, [center, 122], heading, serif, {
        'font-weight': 700,
        fill: light,
      }),
      textInBox(author, [center, 520], names, serif, {
        'font-style': 'italic',
        fill: white,
        'fill-opacity': 0.92,
      }),
      element('rect', { width, height, fill: 'url(#sheen)' }),
      element('rect', { width: 22, height, fill: 'url(#spine)' }),
    ],
  });
}
