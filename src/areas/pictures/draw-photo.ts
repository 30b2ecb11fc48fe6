/** A photo: a landscape in layers, whose light and lie follow from the id alone. */

import type { Photo } from '../../data/records.js';
import { mix } from './color.js';
import { between, pick, seededNumbers } from './seeded-numbers.js';
import { element, glow, linearGradient, svgDocument } from './svg.js';

const width = 1200;
const height = 800;

interface Light {
  readonly skyTop: string;
  readonly skyBottom: string;
  /** Of the sun, or the moon. */
  readonly disc: string;
  /** The ridge farthest away, and the nearest. */
  readonly far: string;
  readonly near: string;
  readonly isNight?: boolean;
}

const lights: readonly [Light, ...Light[]] = [
  { skyTop: '#3f6fb5', skyBottom: '#fcd9b6', disc: '#fff3d6', far: '#a9b4d0', near: '#26364d' },
  { skyTop: '#4aa3df', skyBottom: '#e3f4fb', disc: '#fffbe6', far: '#a8cbd9', near: '#1f5a4c' },
  { skyTop: '#5b3a86', skyBottom: '#ff9e6d', disc: '#ffe3b0', far: '#c0749a', near: '#2a1a3f' },
  { skyTop: '#e0694f', skyBottom: '#ffe1a1', disc: '#fff6d9', far: '#e8a07c', near: '#4a2036' },
  {
    skyTop: '#0c1734',
    skyBottom: '#3b5b8c',
    disc: '#f4f1de',
    far: '#35507c',
    near: '#060c1c',
    isNight: true,
  },
  {
    skyTop: '#1a1038',
    skyBottom: '#7a4b8f',
    disc: '#fdf0d5',
    far: '#5f3f7d',
    near: '#0d0820',
    isNight: true,
  },
  { skyTop: '#8fa6b2', skyBottom: '#eef1f0', disc: '#ffffff', far: '#b9c6c9', near: '#33464d' },
  { skyTop: '#6cb6c9', skyBottom: '#fdeccd', disc: '#fffaf0', far: '#d7c09a', near: '#7a3f1d' },
  { skyTop: '#76c3b5', skyBottom: '#fbf3d0', disc: '#fffdf0', far: '#a9d0a8', near: '#214d3a' },
];

const scenes = ['mountains', 'hills', 'lake', 'forest', 'dunes', 'city'] as const;

/** The picture at `pixelWidth`, always of the same view. */
export function drawPhoto({ id, title }: Pick<Photo, 'id' | 'title'>, pixelWidth: number): string {
  const next = seededNumbers(`photo ${id}`);
  const light = pick(next, lights);
  const scene = pick(next, scenes);
  const horizon = between(next, 380, 470);
  const disc = {
    x: between(next, 180, width - 180),
    y: between(next, 130, horizon - 60),
    radius: between(next, 38, 70),
  };

  const content = [
    element('rect', { width, height, fill: 'url(#sky)' }),
    ...(light.isNight ? drawStars(next, horizon) : []),
    element('circle', { cx: disc.x, cy: disc.y, r: disc.radius * 4, fill: 'url(#glow)' }),
    element('circle', { cx: disc.x, cy: disc.y, r: disc.radius, fill: light.disc }),
    ...drawClouds(next, light),
    ...drawGround(next, { light, scene, horizon, discX: disc.x }),
    ...(light.isNight ? [] : drawBirds(next, horizon)),
  ];
  return svgDocument({
    viewBox: [width, height],
    width: pixelWidth,
    title,
    definitions: [
      linearGradient({
        id: 'sky',
        to: [0, 1],
        stops: [
          [0, light.skyTop],
          [0.65, light.skyBottom],
        ],
      }),
      linearGradient({
        id: 'water',
        to: [0, 1],
        stops: [
          [0, mix(light.skyBottom, light.far, 0.35)],
          [1, mix(light.skyTop, light.near, 0.55)],
        ],
      }),
      glow('glow', light.disc),
    ],
    content,
  });
}

interface Ground {
  readonly light: Light;
  readonly scene: (typeof scenes)[number];
  readonly horizon: number;
  readonly discX: number;
}

function drawGround(next: () => number, { light, scene, horizon, discX }: Ground): string[] {
  const layer = (share: number, top: number, roughness: number, waves: number) =>
    element('path', {
      d: ridge(next, { top, roughness, waves }),
      fill: mix(light.far, light.near, share),
    });
  switch (scene) {
    case 'mountains':
      return [0, 0.25, 0.5, 0.75, 1].map((share) =>
        layer(share, horizon - 90 + share * 330, 150 - share * 70, 9),
      );
    case 'hills':
      return [0, 0.3, 0.55, 0.8, 1].map((share) => layer(share, horizon + share * 260, 55, 2.5));
    case 'dunes':
      return [0, 0.3, 0.6, 1].map((share) =>
        layer(share * 0.8, horizon + 30 + share * 230, 75, 1.6),
      );
    case 'lake':
      return [
        layer(0.1, horizon - 60, 120, 8),
        layer(0.35, horizon + 10, 70, 6),
        ...drawWater(next, light, horizon + 60, discX),
        layer(0.95, 740, 45, 3),
      ];
    case 'forest':
      return [
        layer(0.05, horizon - 60, 110, 6),
        layer(0.3, horizon + 30, 60, 3),
        drawTrees(
          next,
          { base: horizon + 205, size: 100, count: 46 },
          mix(light.far, light.near, 0.55),
        ),
        layer(0.55, horizon + 170, 20, 2),
        drawTrees(next, { base: 772, size: 215, count: 26 }, light.near),
        layer(1, 730, 20, 2),
      ];
    case 'city':
      return [
        layer(0.05, horizon - 10, 70, 4),
        ...drawBuildings(next, light, { base: horizon + 220, share: 0.35, tallest: 260 }),
        ...drawBuildings(next, light, { base: 720, share: 0.8, tallest: 330 }),
        element('rect', { y: 700, width, height: 100, fill: light.near }),
      ];
  }
}

/** A line of hills from edge to edge, filled down to the bottom. */
function ridge(
  next: () => number,
  { top, roughness, waves }: { top: number; roughness: number; waves: number },
): string {
  const phases = [next() * 7, next() * 7, next() * 7];
  const [first = 0, second = 0, third = 0] = phases;
  const heightAt = (x: number) => {
    const turn = (x / width) * waves;
    const shape =
      Math.sin(turn + first) + Math.sin(turn * 2.1 + second) / 2 + Math.sin(turn * 4.3 + third) / 4;
    return Math.round(top - (shape * roughness) / 1.4);
  };
  const step = 40;
  let path = `M0 ${height}V${heightAt(0)}`;
  for (let x = step; x <= width; x += step) {
    // Through the middle between two points, bent towards the one before.
    const middle = x - step / 2;
    path += `Q${x - step} ${heightAt(x - step)} ${middle} ${Math.round((heightAt(x - step) + heightAt(x)) / 2)}`;
  }
  return `${path}L${width} ${heightAt(width)}V${height}Z`;
}

function drawStars(next: () => number, horizon: number): string[] {
  return Array.from({ length: 70 }, () =>
    element('circle', {
      cx: Math.round(next() * width),
      cy: Math.round(next() * horizon),
      r: between(next, 0.8, 2.4),
      fill: '#ffffff',
      'fill-opacity': between(next, 0.4, 1),
    }),
  );
}

function drawClouds(next: () => number, light: Light): string[] {
  const count = Math.floor(between(next, 0, 4));
  return Array.from({ length: count }, () => {
    const x = next() * width;
    const y = between(next, 60, 300);
    const size = between(next, 60, 120);
    const puffs = [
      [-0.9, 0.18, 0.55],
      [-0.2, -0.1, 0.75],
      [0.6, 0.1, 0.62],
    ].map(([dx = 0, dy = 0, scale = 1]) =>
      element('ellipse', {
        cx: x + dx * size,
        cy: y + dy * size,
        rx: size * scale * 1.5,
        ry: size * scale * 0.38,
      }),
    );
    return element(
      'g',
      { fill: light.isNight ? light.far : '#ffffff', 'fill-opacity': light.isNight ? 0.35 : 0.45 },
      puffs,
    );
  });
}

function drawWater(next: () => number, light: Light, top: number, discX: number): string[] {
  const glints = Array.from({ length: 16 }, (_, index) => {
    const length = between(next, 40, 90) + index * 7;
    return element('rect', {
      x: discX - length / 2 + between(next, -22, 22),
      y: top + 8 + index * 19,
      width: length,
      height: 4,
      rx: 2,
      fill: light.disc,
      'fill-opacity': 0.55 - index * 0.025,
    });
  });
  return [element('rect', { y: top, width, height: height - top, fill: 'url(#water)' }), ...glints];
}

function drawTrees(
  next: () => number,
  { base, size, count }: { base: number; size: number; count: number },
  fill: string,
): string {
  let path = '';
  for (let index = 0; index < count; index++) {
    const x = Math.round((index + next()) * (width / count));
    const tall = Math.round(size * between(next, 0.6, 1.15));
    const half = Math.round(tall * 0.22);
    path += `M${x} ${base - tall}l${half} ${tall}h${-half * 2}z`;
  }
  return element('path', { d: path, fill });
}

function drawBuildings(
  next: () => number,
  light: Light,
  { base, share, tallest }: { base: number; share: number; tallest: number },
): string[] {
  let walls = '';
  let windows = '';
  for (let x = -20; x < width; ) {
    const wide = Math.round(between(next, 50, 110));
    const tall = Math.round(tallest * between(next, 0.35, 1));
    walls += `M${x} ${height}V${base - tall}h${wide}V${height}z`;
    for (let row = base - tall + 18; row < base - 10; row += 26) {
      for (let column = x + 12; column < x + wide - 16; column += 20) {
        if (next() < 0.42) windows += `M${column} ${row}h9v13h-9z`;
      }
    }
    x += wide + Math.round(between(next, -4, 10));
  }
  return [
    element('path', { d: walls, fill: mix(light.far, light.near, share) }),
    element('path', {
      d: windows,
      fill: light.isNight ? '#ffd98a' : light.skyBottom,
      'fill-opacity': light.isNight ? 0.85 : 0.3,
    }),
  ];
}

function drawBirds(next: () => number, horizon: number): string[] {
  const count = Math.floor(between(next, 0, 6));
  const x = between(next, 200, width - 300);
  const y = between(next, 120, horizon - 160);
  return Array.from({ length: count }, () => {
    const left = Math.round(x + between(next, -90, 160));
    const top = Math.round(y + between(next, -50, 60));
    return element('path', {
      d: `M${left} ${top}q9 -10 16 0q7 -10 16 0`,
      fill: 'none',
      stroke: '#2b3440',
      'stroke-width': 3,
      'stroke-linecap': 'round',
    });
  });
}
