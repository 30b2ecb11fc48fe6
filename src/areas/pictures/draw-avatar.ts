/** Draws a person's avatar: initials on soft colours. */

import { between, seededNumbers } from '#base/seeded-numbers.js';
import type { Person } from '#data/records.js';
import { hsl, white } from './color.js';
import { circle, element, linearGradient, sans, svgDocument, textLines } from './svg.js';

const size = 256;
/** Hue step that keeps the colours of neighbouring ids different for long. */
const goldenAngle = 137.508;

type AvatarText = Pick<Person, 'id' | 'firstName' | 'lastName'>;

export function drawAvatar({ id, firstName, lastName }: AvatarText): string {
  const next = seededNumbers(`avatar ${id}`);
  const hue = id * goldenAngle;
  const circles = [0.16, 0.12, 0.1].map((opacity) =>
    circle(between(next, 0, size), between(next, 0, size), between(next, size * 0.3, size * 0.55), {
      fill: white,
      'fill-opacity': opacity,
    }),
  );
  return svgDocument({
    viewBox: [size, size],
    title: `${firstName} ${lastName}`,
    definitions: [
      linearGradient('background', [1, 1], [0, hsl(hue, 52, 45)], [1, hsl(hue + 45, 52, 31)]),
    ],
    content: [
      element('rect', { width: size, height: size, fill: 'url(#background)' }),
      ...circles,
      textLines([initialsOf(firstName, lastName)], [size / 2, size / 2 + 36], 0, [sans, 100], {
        'font-weight': 600,
        'letter-spacing': 2,
        fill: white,
      }),
    ],
  });
}

/** Returns the first letter of each name, by grapheme. */
export function initialsOf(...names: readonly string[]): string {
  const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return names
    .map((name) => [...letters.segment(name.trim())][0]?.segment ?? '')
    .join('')
    .toLocaleUpperCase('en');
}
