import { expect, test } from 'vitest';
import { chooseFormat } from './images.js';

test.each([
  ['nothing', undefined, 'png'],
  ['anything', '*/*', 'png'],
  ['any picture', 'image/*', 'png'],
  ['one', 'image/jpeg', 'jpeg'],
  ['one in another letter case', 'IMAGE/SVG+XML', 'svg'],
  ['two', 'image/jpeg, image/webp', 'webp'],
  ['two by weight', 'image/webp;q=0.5, image/jpeg', 'jpeg'],
  ['any but one', 'image/*, image/png;q=0', 'webp'],
  [
    'what a browser sends',
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'webp',
  ],
  ['a page, and anything as a last resort', 'text/html, */*;q=0.1', 'png'],
  ['no picture', 'application/json', undefined],
  ['none that there is', 'image/avif', undefined],
  ['none at all', '*/*;q=0', undefined],
])('of %s', (_name, accept, format) => {
  expect(chooseFormat(accept)).toBe(format);
});
