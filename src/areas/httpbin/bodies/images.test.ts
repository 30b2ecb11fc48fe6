import { expect, test } from 'vitest';
import { chooseFormat } from './images.js';

test.each([
  ['nothing', undefined, 'png'],
  ['anything', '*/*', 'png'],
  ['any image', 'image/*', 'png'],
  ['one', 'image/jpeg', 'jpeg'],
  ['a type in another letter case', 'IMAGE/SVG+XML', 'svg'],
  ['two', 'image/jpeg, image/webp', 'webp'],
  ['two by weight', 'image/webp;q=0.5, image/jpeg', 'jpeg'],
  ['any type but one', 'image/*, image/png;q=0', 'webp'],
  [
    'the Accept of a browser',
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'webp',
  ],
  ['a page, and anything as a last resort', 'text/html, */*;q=0.1', 'png'],
  ['no image', 'application/json', undefined],
  ['only unsupported images', 'image/avif', undefined],
  ['no type at all', '*/*;q=0', undefined],
])('of %s', (_name, accept, format) => {
  expect(chooseFormat(accept)).toBe(format);
});
