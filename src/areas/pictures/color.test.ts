import { expect, test } from 'vitest';
import { hsl, mix } from './color.js';

test.each([
  [0, 100, 50, '#ff0000'],
  [120, 100, 50, '#00ff00'],
  [240, 100, 50, '#0000ff'],
  [-120, 100, 50, '#0000ff'],
  [780, 100, 25, '#808000'],
  [200, 0, 50, '#808080'],
  [10, 80, 0, '#000000'],
  [10, 80, 100, '#ffffff'],
])('hue %d, saturation %d, lightness %d is %s', (hue, saturation, lightness, color) => {
  expect(hsl(hue, saturation, lightness)).toBe(color);
});

test.each([
  ['#000000', '#ffffff', 0, '#000000'],
  ['#000000', '#ffffff', 1, '#ffffff'],
  ['#000000', '#ffffff', 0.5, '#808080'],
  ['#ff0010', '#000110', 0.25, '#bf0010'],
])('%s and %s at %d mix to %s', (from, to, share, color) => {
  expect(mix(from, to, share)).toBe(color);
});
