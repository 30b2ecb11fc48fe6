/** What covers and posters show: a plain figure per kind of story, in a square of 300. */

import { between } from './seeded-numbers.js';
import { element } from './svg.js';

export interface Inks {
  readonly light: string;
  readonly accent: string;
  readonly dark: string;
}

type Motif = (next: () => number, inks: Inks) => string[];

export const motifs = {
  planet(next, { light, accent, dark }) {
    const tilt = between(next, -28, -12);
    const stars = Array.from({ length: 26 }, () =>
      element('circle', {
        cx: next() * 300,
        cy: next() * 300,
        r: between(next, 0.8, 2.2),
        fill: light,
      }),
    );
    const ring = { cx: 150, cy: 150, rx: 138, ry: 34, fill: 'none', 'stroke-width': 9 };
    return [
      ...stars,
      element('g', { transform: `rotate(${Math.round(tilt)} 150 150)` }, [
        element('ellipse', { ...ring, stroke: accent, 'stroke-opacity': 0.55 }),
        element('circle', { cx: 150, cy: 150, r: 82, fill: light }),
        element('path', { d: 'M70 132a82 82 0 0 0 160 0q-80 34-160 0z', fill: accent }),
        element('path', {
          d: 'M150 68a82 82 0 0 1 0 164a104 104 0 0 0 0-164z',
          fill: dark,
          'fill-opacity': 0.3,
        }),
        element('path', {
          d: 'M12 150a138 34 0 0 0 276 0',
          fill: 'none',
          stroke: accent,
          'stroke-width': 9,
        }),
      ]),
    ];
  },

  mountains(next, { light, accent, dark }) {
    const moon = between(next, 80, 220);
    return [
      element('circle', { cx: moon, cy: 92, r: 52, fill: light }),
      element('path', { d: 'M-40 250L70 118l48 52 62-92 160 172z', fill: accent }),
      element('path', { d: 'M180 78l-28 42 18 8 12-10 14 12 16-14z', fill: light }),
      element('path', { d: 'M70 118l-22 27 14 6 10-8 12 10 12-6z', fill: light }),
      element('path', { d: 'M-40 270Q60 200 150 250T340 240V300H-40z', fill: dark }),
    ];
  },

  rays(next, { light, accent, dark }) {
    const turn = between(next, 0, 15);
    const beams = Array.from({ length: 12 }, (_, index) =>
      element('path', {
        d: 'M150 150L128 -60h44z',
        fill: index % 2 === 0 ? accent : light,
        'fill-opacity': index % 2 === 0 ? 0.9 : 0.35,
        transform: `rotate(${Math.round(turn + index * 30)} 150 150)`,
      }),
    );
    return [
      ...beams,
      element('circle', { cx: 150, cy: 150, r: 62, fill: dark }),
      element('circle', { cx: 150, cy: 150, r: 44, fill: light }),
    ];
  },

  eclipse(next, { light, accent }) {
    const apart = between(next, 38, 54);
    const circle = (cx: number, fill: string) =>
      element('circle', { cx, cy: 150, r: 84, fill, 'fill-opacity': 0.82 });
    return [circle(150 - apart, light), circle(150 + apart, accent)];
  },

  skyline(next, { light, accent, dark }) {
    let walls = '';
    let windows = '';
    for (let x = -60; x < 360; ) {
      const wide = Math.round(between(next, 26, 52));
      const tall = Math.round(between(next, 60, 190));
      walls += `M${x} 300V${300 - tall}h${wide}V300z`;
      for (let y = 312 - tall; y < 285; y += 16) {
        for (let column = x + 7; column < x + wide - 8; column += 12) {
          if (next() < 0.35) windows += `M${column} ${y}h5v8h-5z`;
        }
      }
      x += wide + 3;
    }
    return [
      element('circle', { cx: 150, cy: 140, r: 104, fill: accent }),
      element('path', { d: walls, fill: dark }),
      element('path', { d: windows, fill: light }),
    ];
  },

  keyhole(_next, { light, accent, dark }) {
    return [
      element('circle', { cx: 150, cy: 150, r: 120, fill: accent }),
      element('circle', { cx: 150, cy: 150, r: 98, fill: 'none', stroke: dark, 'stroke-width': 3 }),
      element('path', {
        d: 'M150 84a38 38 0 0 1 20 70l16 62h-72l16-62a38 38 0 0 1 20-70z',
        fill: dark,
      }),
      element('path', {
        d: 'M150 98a24 24 0 0 1 22 14',
        fill: 'none',
        stroke: light,
        'stroke-width': 4,
        'stroke-linecap': 'round',
      }),
    ];
  },

  bubbles(next, { light, accent, dark }) {
    const fills = [light, accent, dark];
    return Array.from({ length: 15 }, (_, index) =>
      element('circle', {
        cx: between(next, 10, 290),
        cy: between(next, 10, 290),
        r: 58 - index * 3.2,
        fill: fills[index % 3] ?? light,
        'fill-opacity': index % 3 === 2 ? 0.35 : 0.8,
      }),
    );
  },

  horizon(next, { light, accent, dark }) {
    const waves = [0, 1, 2, 3].map((row) =>
      element('path', {
        d: `M-60 ${190 + row * 30}q${Math.round(between(next, 40, 70))} -18 120 0t120 0t120 0t120 0V330H-60z`,
        fill: row % 2 === 0 ? accent : dark,
        'fill-opacity': row % 2 === 0 ? 0.85 : 0.6,
      }),
    );
    return [element('circle', { cx: 150, cy: 150, r: 92, fill: light }), ...waves];
  },

  rosette(next, { light, accent, dark }) {
    const petals = 8 + 2 * Math.floor(between(next, 0, 3));
    const ring = (rx: number, ry: number, fill: string, shift: number) =>
      Array.from({ length: petals }, (_, index) =>
        element('ellipse', {
          cx: 150,
          cy: 150 - ry,
          rx,
          ry,
          fill,
          'fill-opacity': 0.75,
          transform: `rotate(${Math.round(((index + shift) * 360) / petals)} 150 150)`,
        }),
      );
    return [
      ...ring(20, 62, accent, 0),
      ...ring(13, 42, light, 0.5),
      element('circle', { cx: 150, cy: 150, r: 20, fill: dark }),
      element('circle', { cx: 150, cy: 150, r: 10, fill: light }),
    ];
  },

  grid(next, { light, accent, dark }) {
    const cells: string[] = [];
    for (let row = 0; row < 6; row++) {
      for (let column = 0; column < 6; column++) {
        const chance = next();
        if (chance < 0.22) continue;
        const fill = chance < 0.5 ? accent : chance < 0.8 ? light : dark;
        const x = 24 + column * 43;
        const y = 24 + row * 43;
        cells.push(
          chance < 0.62
            ? element('rect', { x, y, width: 35, height: 35, rx: 6, fill })
            : element('circle', { cx: x + 17.5, cy: y + 17.5, r: 17.5, fill }),
        );
      }
    }
    return cells;
  },

  arcs(next, { light, accent, dark }) {
    const turn = Math.round(between(next, 0, 4)) * 90;
    const bands = [220, 180, 140, 100, 60].map((radius, index) =>
      element('circle', {
        cx: 40,
        cy: 260,
        r: radius,
        fill: [accent, light, dark, accent, light][index] ?? light,
      }),
    );
    return [element('g', { transform: `rotate(${turn} 150 150)` }, bands)];
  },
} satisfies Readonly<Record<string, Motif>>;

export type MotifName = keyof typeof motifs;
