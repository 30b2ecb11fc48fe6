import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { growthOf, maxExponent } from '../../../test/support/growth.js';
import { endpoint, secret } from '../endpoint.js';
import { KnownPaths } from './known-paths.js';

const key = 'Ab-_5678901234567890zZ';
const handle = () => undefined;
const paths = new KnownPaths();
paths.add([
  endpoint('GET', '/api/Books/:id', { handle }),
  endpoint('GET', '/api/Books/count', { handle }),
  endpoint('GET', '/api/Books/:id/pages/:page', { handle }),
  endpoint('GET', '/basic/:user/:password', { handle }),
  endpoint('GET', '/bins/:bin', { params: { bin: secret(Type.String()) }, handle }),
  endpoint('GET', '/bins/list/all', { handle }),
  endpoint('GET', '/images/:id.svg', { handle }),
  endpoint('GET', '/any/*', { handle }),
]);

test.each([
  ['/', '/'],
  ['/api/Books/1', '/api/Books/1'],
  ['/API/books/COUNT/', '/API/books/COUNT/'],
  ['/%61pi/Books/x%2Fy', '/%61pi/Books/x%2Fy'],
  ['/api/Books/1/pages/2', '/api/Books/1/pages/2'],
  ['/api/Books/count/pages/2', '/api/Books/count/pages/2'],
  ['/api/Books/1/chapters/2', '/api/Books/1/(removed)'],
  ['/api/Boks/1', '/api/(removed)'],
  ['/hush', '/(removed)'],
  ['//hush', '//(removed)'],
  ['/basic/ada/hush', '/basic/ada/(removed)'],
  ['/basic/ada/hush/hush', '/basic/ada/(removed)/(removed)'],
  ['/bins/hush', '/bins/(removed)'],
  ['/bins/list/all', '/bins/list/all'],
  ['/images/7.svg', '/images/7.svg'],
  ['/any/hush/hush', '/any/(removed)'],
  ['/%zz/hush', '/(removed)'],
  ['/s/mine/api/Books/1', '/s/mine/api/Books/1'],
  [`/s/~${key}/api/Books/1`, '/s/~…/api/Books/1'],
  [`/s/~${key}/%73/%7e${key}/hush`, '/s/~…/%73/%7e…/(removed)'],
  [`/api/Books/~${key}`, '/api/Books/~…'],
])('%s is shown as %s', (path, expected) => {
  expect(paths.show(path)).toBe(expected);
});

test.each(['/s/a', '/api', '/', '/any', '/%73/%7e'])(
  'the cost of a path of %s is linear',
  async (piece) => {
    const exponent = await growthOf({
      make: (size) => piece.repeat(Math.ceil(size / piece.length)),
      run: (path) => paths.show(path),
      largest: 128 * 1024,
    });
    expect(exponent).toBeLessThan(maxExponent);
  },
);
