import { expect, test } from 'vitest';
import { bodyText, encoded, type SampleRequest, targetOf, variablesIn } from './sample-request.js';

const request: SampleRequest = {
  method: 'GET',
  path: '/',
  pathValues: {},
  query: [],
  headers: {},
};

test.each([
  ['no parameters', { path: '/api/Events' }, '/api/Events'],
  ['a parameter', { path: '/api/Events/{id}', pathValues: { id: '7' } }, '/api/Events/7'],
  ['a part of a segment', { path: '/images/{id}.svg', pathValues: { id: '1' } }, '/images/1.svg'],
  ['a variable', { path: '/bins/{id}', pathValues: { id: '{{binId}}' } }, '/bins/{{binId}}'],
  ['a slash in a value', { path: '/basic/{user}', pathValues: { user: 'a/b' } }, '/basic/a%2Fb'],
  [
    'a query',
    {
      query: [
        ['city', 'Zürich'],
        ['page', '1'],
      ] as const,
    },
    '/?city=Z%C3%BCrich&page=1',
  ],
])('a target with %s', (_case, part, expected) => {
  expect(targetOf({ ...request, ...part })).toBe(expected);
});

test('encoding text around variables leaves the variables unchanged', () => {
  expect(encoded('a b{{token}}&{{id}}')).toBe('a%20b{{token}}%26{{id}}');
});

test('variables are found anywhere, once', () => {
  const value = { headers: { 'X-Key': '{{key}}' }, body: [{ id: '{{id}}-{{key}}' }], none: '{x}' };
  expect(variablesIn(value)).toEqual(['key', 'id']);
  expect(variablesIn(undefined)).toEqual([]);
});

test.each([
  ['JSON', { kind: 'json', value: { a: 1 } }, '{\n  "a": 1\n}'],
  [
    'a form',
    {
      kind: 'form',
      fields: [
        ['a b', '{{c}}'],
        ['d', '&'],
      ],
    },
    'a%20b={{c}}&d=%26',
  ],
  ['text', { kind: 'text', text: ' as it is ' }, ' as it is '],
] as const)('%s as text', (_case, body, expected) => {
  expect(bodyText(body)).toBe(expected);
});
