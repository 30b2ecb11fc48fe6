/** Draws a photo: a layered landscape, whose light and shape depend only on the id. */

import { between, pick, seededNumbers } from '#base/seeded-numbers.js';
import type { Photo } from '#data/records.js';
import { mix, white } from './color.js';
import { circle, element, ellipse, glow, linearGradient, path, rect, svgDocument } from './svg.js';

const width = 1200;
const height = 800;

/** Colours: the sky at the top and at the horizon, the sun or moon, the farthest ridge and the nearest. */
type Light = Readonly<Record<'top' | 'low' | 'disc' | 'far' | 'near', string>> & {
  readonly isNight?: boolean;
};

const lights: readonly [Light, ...Light[]] = [
  { top: '#3f6fb5', low: '#fcd9b6', disc: '#fff3d6', far: '#a9b4d0', near: '#26364d' },
  { top: '#4aa3df', low: '#e3f4fb', disc: '#fffbe6', far: '#a8cbd9', near: '#1f5a4c' },
  { top: '#5b3a86', low: '#ff9e6d', disc: '#ffe3b0', far: '#c0749a', near: '#2a1a3f' },
  { top: '#e0694f', low: '#ffe1a1', disc: '#fff6d9', far: '#e8a07c', near: '#4a2036' },
  {
    top: '#0c1734',
    low: '#3b5b8c',
    disc: '#f4f1de',
    far: '#35507c',
    near: '#060c1c',
    isNight: true,
  },
  {
    top: '#1a1038',
    low: '#7a4b8f',
    disc: '#fdf0d5',
    far: '#5f3f7d',
    near: '#0d0820',
    isNight: true,
  },
  { top: '#8fa6b2', low: '#eef1f0', disc: '#ffffff', far: '#b9c6c9', near: '#33464d' },
  { top: '#6cb6c9', low: '#fdeccd', disc: '#fffaf0', far: '#d7c09a', near: '#7a3f1d' },
  { top: '#76c3b5', low: '#fbf3d0', disc: '#fffdf0', far: '#a9d0a8', near: '#214d3a' },
];

const scenes = ['mountains', 'hills', 'lake', 'forest', 'dunes', 'city'] as const;

/** Draws the same view at any width in pixels. */
export function drawPhoto({ id, title }: Pick<Photo, 'id' | 'title'>, pixelWidth: number): string {
  const next = seededNumbers(`photo ${id}`);
  const light = pick(next, lights);
  const scene = pick(next, scenes);
  const horizon = between(next, 380, 470);
  const x = between(next, 180, width - 180);
  const y = between(next, 130, horizon - 60);
  const radius = between(next, 38, 70);
  const { top, low, disc, far, near, isNight } = light;
  return svgDocument({
    viewBox: [width, height],
    width: pixelWidth,
    title,
    definitions: [
      linearGradient('sky', [0, 1], [0, top], [0.65, low]),
      linearGradient('water', [0, 1], [0, mix(low, far, 0.35)], [1, mix(top, near, 0.55)]),
      glow('glow', disc),
    ],
    content: [
      element('rect', { width, height, fill: 'url(#sky)' }),
      ...(isNight ? drawStars(next, horizon) : []),
      circle(x, y, radius * 4, { fill: 'url(#glow)' }),
      circle(x, y, radius, { fill: disc }),
      ...drawClouds(next, light),
      ...drawGround(next, light, scene, horizon, x),
      ...(isNight ? [] : drawBirds(next, horizon)),
    ],
  });
}

function drawGround(
  next: () => number,
  light: Light,
  scene: (typeof scenes)[number],
  horizon: number,
  discX: number,
): string[] {
  const { far, near } = light;
  const layer = (share: number, top: number, roughness: number, waves: number) =>
    path(ridge(next, top, roughness, waves), { fill: mix(far, near, share) });
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
        path(trees(next, horizon + 205, 100, 46), { fill: mix(far, near, 0.55) }),
        layer(0.55, horizon + 170, 20, 2),
        path(trees(next, 772, 215, 26), { fill: near }),
        layer(1, 730, 20, 2),
      ];
    case 'city':
      return [
        layer(0.05, horizon - 10, 70, 4),
        ...drawBuildings(next, light, horizon + 220, 0.35, 260),
        ...drawBuildings(next, light, 720, 0.8, 330),
        element('rect', { y: 700, width, height: 100, fill: near }),
      ];
  }
}

/** Draws a line of hills from edge to edge, filled to the bottom. */
function ridge(next: () => number, top: number, roughness: number, waves: number): string {
  const [first, second, third] = [next() * 7, next() * 7, next() * 7] as const;
  const heightAt = (x: number) => {
    const turn = (x / width) * waves;
    const shape =
      Math.sin(turn + first) + Math.sin(turn * 2.1 + second) / 2 + Math.sin(turn * 4.3 + third) / 4;
    return Math.round(top - (shape * roughness) / 1.4);
  };
  const step = 40;
  let line = `M0 ${height}V${heightAt(0)}`;
  for (let x = step; x <= width; x += step) {
    const before = heightAt(x - step);
    // Through the midpoint of two points, curved towards the previous one.
    line += `Q${x - step} ${before} ${x - step / 2} ${Math.round((before + heightAt(x)) / 2)}`;
  }
  return `${line}L${width} ${heightAt(width)}V${height}Z`;
}

function drawStars(next: () => number, horizon: number): string[] {
  return Array.from({ length: 70 }, () =>
    circle(Math.round(next() * width), Math.round(next() * horizon), between(next, 0.8, 2.4), {
      fill: white,
      'fill-opacity': between(next, 0.4, 1),
    }),
  );
}

/** Positions and sizes of the parts of a cloud. */
const puffs = [
  [-0.9, 0.18, 0.55],
  [-0.2, -0.1, 0.75],
  [0.6, 0.1, 0.62],
] as const;

function drawClouds(next: () => number, { isNight, far }: Light): string[] {
  const fill = isNight
    ? { fill: far, 'fill-opacity': 0.35 }
    : { fill: white, 'fill-opacity': 0.45 };
  return Array.from({ length: Math.floor(between(next, 0, 4)) }, () => {
    const x = next() * width;
    const y = between(next, 60, 300);
    const size = between(next, 60, 120);
    return element(
      'g',
      fill,
      puffs.map(([dx, dy, scale]) =>
        ellipse(x + dx * size, y + dy * size, size * scale * 1.5, size * scale * 0.38, {}),
      ),
    );
  });
}

function drawWater(next: () => number, { disc }: Light, top: number, discX: number): string[] {
  const glints = Array.from({ length: 16 }, (_, index) => {
    const length = between(next, 40, 90) + index * 7;
    const x = discX - length / 2 + between(next, -22, 22);
    return rect(x, top + 8 + index * 19, length, 4, {
      rx: 2,
      fill: disc,
      'fill-opacity': 0.55 - index * 0.025,
    });
  });
  return [element('rect', { y: top, width, height: height - top, fill: 'url(#water)' }), ...glints];
}

function trees(next: () => number, base: number, size: number, count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const x = Math.round((index + next()) * (width / count));
    const tall = Math.round(size * between(next, 0.6, 1.15));
    const half = Math.round(tall * 0.22);
    return `M${x} ${base - tall}l${half} ${tall}h${-half * 2}z`;
  }).join('');
}

function drawBuildings(
  next: () => number,
  { far, near, low, isNight }: Light,
  base: number,
  share: number,
  tallest: number,
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
    path(walls, { fill: mix(far, near, share) }),
    path(windows, {
      fill: isNight ? '#ffd98a' : low,
      'fill-opacity': isNight ? 0.85 : 0.3,
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
    return path(`M${left} ${top}q9 -10 16 0q7 -10 16 0`, {
      fill: 'none',
      stroke: '#2b3440',
      'stroke-width': 3,
      'stroke-linecap': 'round',
    });
  });
}
