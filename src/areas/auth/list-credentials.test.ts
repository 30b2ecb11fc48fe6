import { expect, test } from 'vitest';
import { listCredentials } from './list-credentials.js';

const card = (title: string, ...parts: (readonly [string, string])[]) => ({
  title,
  parts: parts.map(([name, value]) => ({ name, value })),
});

test.each([
  ['nothing', {}, []],
  ['a value', { issuer: 'http://a/' }, [card('A', ['issuer', 'http://a/'])]],
  ['a list of values', { roles: ['b', 'c'] }, [card('A', ['roles', 'b'], ['roles', 'c'])]],
  ['an empty list', { redirectUris: [], kind: 'b' }, [card('A', ['kind', 'b'])]],
  [
    'a list of objects, each with its name',
    { issuer: 'b', users: [{ username: 'c', roles: ['d'] }, { username: 'e' }] },
    [
      card('A', ['issuer', 'b']),
      card('A: c', ['username', 'c'], ['roles', 'd']),
      card('A: e', ['username', 'e']),
    ],
  ],
  ['an object within', { session: { users: [{ keyid: 'b' }] } }, [card('A: b', ['keyid', 'b'])]],
  ['objects without a name', { all: [{ b: 1 }] }, [card('A', ['b', '1'])]],
])('%s', (_name, listed, expected) => {
  expect(listCredentials('A', listed)).toEqual(expected);
});
