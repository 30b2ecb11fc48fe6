/** Motifs of covers and posters, one for each kind of story, in a square of 300. */

import { between } from '#base/seeded-numbers.js';
import type { Palette } from './palette-of.js';
import { circle, element, ellipse, path, rect } from './svg.js';

type Motif = (next: () => number, palette: Palette) => string[];

export const motifs = {
  planet(next, { light, accent, bottom }) {
    const tilt = between(next, -28, -12);
    const stars = Array.from({ length: 26 }, () =>
      circle(next() * 300, next() * 300, between(next, 0.8, 2.2), { fill: light }),
    );
    const ring = { fill: 'none', 'stroke-width': 9, stroke: accent };
    return [
      ...stars,
      element('g', { transform: `rotate(${Math.round(tilt)} 150 150)` }, [
        ellipse(150, 150, 138, 34, { ...ring, 'stroke-opacity': 0.55 }),
        circle(150, 150, 82, { fill: light }),
        path('M70 132a82 82 0 0 0 160 0q-80 34-160 0z', { fill: accent }),
        path('M150 68a82 82 0 0 1 0 164a104 104 0 0 0 0-164z', {
          fill: bottom,
          'fill-opacity': 0.3,
        }),
        path('M12 150a138 34 0 0 0 276 0', { fill: 'none', stroke: accent, 'stroke-width': 9 }),
      ]),
    ];
  },

  mountains(next, { light, accent, bottom }) {
    return [
      circle(between(next, 80, 220), 92, 52, { fill: light }),
      path('M-40 250L70 118l48 52 62-92 160 172z', { fill: accent }),
      path('M180 78l-28 42 18 8 12-10 14 12 16-14z', { fill: light }),
      path('M70 118l-22 27 14 6 10-8 12 10 12-6z', { fill: light }),
      path('M-40 270Q60 200 150 250T340 240V300H-40z', { fill: bottom }),
    ];
  },

  rays(next, { light, accent, bottom }) {
    const turn = between(next, 0, 15);
    const beams = Array.from({ length: 12 }, (_, index) =>
      path('M150 150L128 -60h44z', {
        fill: index % 2 === 0 ? accent : light,
        'fill-opacity': index % 2 === 0 ? 0.9 : 0.35,
        transform: `rotate(${Math.round(turn + index * 30)} 150 150)`,
      }),
    );
    return [
      ...beams,
      circle(150, 150, 62, { fill: bottom }),
      circle(150, 150, 44, { fill: light }),
    ];
  },

  eclipse(next, { light, accent }) {
    const apart = between(next, 38, 54);
    return [
      circle(150 - apart, 150, 84, { fill: light, 'fill-opacity': 0.82 }),
      circle(150 + apart, 150, 84, { fill: accent, 'fill-opacity': 0.82 }),
    ];
  },

  skyline(next, { light, accent, bottom }) {
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
      circle(150, 140, 104, { fill: accent }),
      path(walls, { fill: bottom }),
      path(windows, { fill: light }),
    ];
  },

  keyhole(_next, { light, accent, bottom }) {
    return [
      circle(150, 150, 120, { fill: accent }),
      circle(150, 150, 98, { fill: 'none', stroke: bottom, 'stroke-width': 3 }),
      path('M150 84a38 38 0 0 1 20 70l16 62h-72l16-62a38 38 0 0 1 20-70z', { fill: bottom }),
      path('M150 98a24 24 0 0 1 22 14', {
        fill: 'none',
        stroke: light,
        'stroke-width': 4,
        'stroke-linecap': 'round',
      }),
    ];
  },

  bubbles(next, { light, accent, bottom }) {
    return Array.from({ length: 15 }, (_, index) =>
      circle(between(next, 10, 290), between(next, 10, 290), 58 - index * 3.2, {
        fill: [light, accent, bottom][index % 3] ?? light,
        'fill-opacity': index % 3 === 2 ? 0.35 : 0.8,
      }),
    );
  },

  horizon(next, { light, accent, bottom }) {
    const waves = [0, 1, 2, 3].map((row) => {
      const width = Math.round(between(next, 40, 70));
      return path(`M-60 ${190 + row * 30}q${width} -18 120 0t120 0t120 0t120 0V330H-60z`, {
        fill: row % 2 === 0 ? accent : bottom,
        'fill-opacity': row % 2 === 0 ? 0.85 : 0.6,
      });
    });
    return [circle(150, 150, 92, { fill: light }), ...waves];
  },

  rosette(next, { light, accent, bottom }) {
    const petals = 8 + 2 * Math.floor(between(next, 0, 3));
    const ring = (rx: number, ry: number, fill: string, shift: number) =>
      Array.from({ length: petals }, (_, index) =>
        ellipse(150, 150 - ry, rx, ry, {
          fill,
          'fill-opacity': 0.75,
          transform: `rotate(${Math.round(((index + shift) * 360) / petals)} 150 150)`,
        }),
      );
    return [
      ...ring(20, 62, accent, 0),
      ...ring(13, 42, light, 0.5),
      circle(150, 150, 20, { fill: bottom }),
      circle(150, 150, 10, { fill: light }),
    ];
  },

  grid(next, { light, accent, bottom }) {
    return Array.from({ length: 36 }, (_, cell) => {
      const chance = next();
      if (chance < 0.22) return '';
      const fill = chance < 0.5 ? accent : chance < 0.8 ? light : bottom;
      const x = 24 + (cell % 6) * 43;
      const y = 24 + Math.floor(cell / 6) * 43;
      return chance < 0.62
        ? rect(x, y, 35, 35, { rx: 6, fill })
        : circle(x + 17.5, y + 17.5, 17.5, { fill });
    });
  },

  arcs(next, { light, accent, bottom }) {
    const turn = Math.round(between(next, 0, 4)) * 90;
    const fills = [accent, light, bottom, accent, light];
    const bands = fills.map((fill, index) => circle(40, 260, 220 - index * 40, { fill }));
    return [element('g', { transform: `rotate(${turn} 150 150)` }, bands)];
  },
} satisfies Readonly<Record<string, Motif>>;

export type MotifName = keyof typeof motifs;
