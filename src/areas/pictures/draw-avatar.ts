/** A person's avatar: initials on soft colours. */

import type { Person } from '../../data/records.js';
import { hsl } from './color.js';
import { between, seededNumbers } from './seeded-numbers.js';
import { element, linearGradient, svgDocument, textLines } from './svg.js';

const size = 256;
/** Turning the hue by this much each time keeps neighbours apart for long. */
const goldenAngle = 137.508;

type AvatarText = Pick<Person, 'id' | 'firstName' | 'lastName'>;

export function drawAvatar({ id, firstName, lastName }: AvatarText): string {
  const next = seededNumbers(`avatar ${id}`);
  const hue = id * goldenAngle;
  const circles = [0.16, 0.12, 0.1].map((opacity) =>
    element('circle', {
      cx: between(next, 0, size),
      cy: between(next, 0, size),
      r: between(next, size * 0.3, size * 0.55),
      fill: '#ffffff',
      'fill-opacity': opacity,
    }),
  );
  return svgDocument({
    viewBox: [size, size],
    title: `${firstName} ${lastName}`,
    definitions: [
      linearGradient({
        id: 'background',
        to: [1, 1],
        stops: [
          [0, hsl(hue, 52, 45)],
          [1, hsl(hue + 45, 52, 31)],
        ],
      }),
    ],
    content: [
      element('rect', { width: size, height: size, fill: 'url(#background)' }),
      ...circles,
      textLines([initialsOf(firstName, lastName)], {
        x: size / 2,
        y: size / 2 + 36,
        lineHeight: 0,
        'font-family': 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif',
        'font-size': 100,
        'font-weight': 600,
        'letter-spacing': 2,
        fill: '#ffffff',
      }),
    ],
  });
}

/** The first letter of each name, as a reader counts letters. */
export function initialsOf(...names: readonly string[]): string {
  const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return names
    .map((name) => [...letters.segment(name.trim())][0]?.segment ?? '')
    .join('')
    .toLocaleUpperCase('en');
}
