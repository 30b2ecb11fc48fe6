/** Draws a product image: a pictogram on a soft background, and a label. */

import { seededNumbers } from '#base/seeded-numbers.js';
import type { Product } from '#data/records.js';
import { hsl, white } from './color.js';
import { drawPictogram } from './draw-pictogram.js';
import {
  circle,
  element,
  ellipse,
  linearGradient,
  rect,
  sans,
  svgDocument,
  textInBox,
  textLines,
} from './svg.js';

const size = 600;

/** Hue of a category, and its contrasting hue. */
const hues: Readonly<Record<string, readonly [main: number, accent: number]>> = {
  Electronics: [220, 28],
  Kitchen: [18, 45],
  Clothing: [335, 200],
  Outdoors: [150, 32],
  Toys: [42, 212],
  Stationery: [262, 40],
};

export function drawProduct(product: Pick<Product, 'id' | 'title' | 'category'>): string {
  const { id, title, category } = product;
  const next = seededNumbers(`product ${id}`);
  // A category has a range of colours, and each product its shade.
  const [main, accent] = hues[category] ?? [id * 40, id * 40 + 165];
  const hue = main + (next() - 0.5) * 26;
  const inks = {
    main: hsl(hue, 58, 54),
    dark: hsl(hue + 8, 46, 24),
    light: hsl(hue, 58, 87),
    accent: hsl(accent, 82, 58),
  };
  const label = { width: 504, height: 62, lineHeight: 1.15, fontSizes: [32, 29, 26, 24] };
  return svgDocument({
    viewBox: [size, size],
    title,
    definitions: [
      linearGradient('ground', [0.4, 1], [0, hsl(hue, 62, 94)], [1, hsl(hue + 18, 58, 83)]),
    ],
    content: [
      element('rect', { width: size, height: size, fill: 'url(#ground)' }),
      circle(300, 228, 186, { fill: white, 'fill-opacity': 0.72 }),
      ellipse(300, 374, 120, 13, { fill: inks.dark, 'fill-opacity': 0.14 }),
      element('g', { transform: 'translate(160 88) scale(1.4)' }, drawPictogram(title, inks)),
      rect(34, 440, 532, 126, { rx: 20, fill: white, 'fill-opacity': 0.86 }),
      textInBox(title, [size / 2, 488], label, sans, {
        'font-weight': 600,
        fill: inks.dark,
      }),
      textLines([category.toLocaleUpperCase('en')], [size / 2, 546], 0, [sans, 16], {
        'letter-spacing': 4,
        fill: hsl(hue, 50, 38),
      }),
    ],
  });
}
