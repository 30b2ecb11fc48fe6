/** A product's picture: a pictogram on a soft ground, and a label. */

import type { Product } from '../../data/records.js';
import { hsl } from './color.js';
import { drawPictogram } from './draw-pictogram.js';
import { fitText } from './fit-text.js';
import { seededNumbers } from './seeded-numbers.js';
import { element, linearGradient, svgDocument, textLines } from './svg.js';

const size = 600;
const sans = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';

/** The hue of a category, and the one that stands out from it. */
const hues: Readonly<Record<string, readonly [main: number, accent: number]>> = {
  Electronics: [220, 28],
  Kitchen: [18, 45],
  Clothing: [335, 200],
  Outdoors: [150, 32],
  Toys: [42, 212],
  Stationery: [262, 40],
};

type ProductText = Pick<Product, 'id' | 'title' | 'category'>;

export function drawProduct({ id, title, category }: ProductText): string {
  const next = seededNumbers(`product ${id}`);
  // A category has a family of colours, a product its own shade in it.
  const [main, accent] = hues[category] ?? [id * 40, id * 40 + 165];
  const hue = main + (next() - 0.5) * 26;
  const inks = {
    main: hsl(hue, 58, 54),
    dark: hsl(hue + 8, 46, 24),
    light: hsl(hue, 58, 87),
    accent: hsl(accent, 82, 58),
  };
  const lineHeight = 1.15;
  const label = fitText(title, {
    width: 504,
    height: 62,
    lineHeight,
    fontSizes: [32, 29, 26, 24],
  });
  const firstLine =
    488 + label.fontSize * 0.35 - ((label.lines.length - 1) * label.fontSize * lineHeight) / 2;

  return svgDocument({
    viewBox: [size, size],
    title,
    definitions: [
      linearGradient({
        id: 'ground',
        to: [0.4, 1],
        stops: [
          [0, hsl(hue, 62, 94)],
          [1, hsl(hue + 18, 58, 83)],
        ],
      }),
    ],
    content: [
      element('rect', { width: size, height: size, fill: 'url(#ground)' }),
      element('circle', { cx: 300, cy: 228, r: 186, fill: '#ffffff', 'fill-opacity': 0.72 }),
      element('ellipse', {
        cx: 300,
        cy: 374,
        rx: 120,
        ry: 13,
        fill: inks.dark,
        'fill-opacity': 0.14,
      }),
      element('g', { transform: 'translate(160 88) scale(1.4)' }, drawPictogram(title, inks)),
      element('rect', {
        x: 34,
        y: 440,
        width: 532,
        height: 126,
        rx: 20,
        fill: '#ffffff',
        'fill-opacity': 0.86,
      }),
      textLines(label.lines, {
        x: size / 2,
        y: firstLine,
        lineHeight: label.fontSize * lineHeight,
        'font-family': sans,
        'font-size': label.fontSize,
        'font-weight': 600,
        fill: inks.dark,
      }),
      textLines([category.toLocaleUpperCase('en')], {
        x: size / 2,
        y: 546,
        lineHeight: 0,
        'font-family': sans,
        'font-size': 16,
        'letter-spacing': 4,
        fill: hsl(hue, 50, 38),
      }),
    ],
  });
}
