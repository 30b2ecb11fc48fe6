import { expect, test } from 'vitest';
import { negotiateType } from '#http/negotiation/negotiate-type.js';
import { offers } from './formats.js';

const negotiate = (accept: string | undefined) => negotiateType(accept, offers);

test.each([
  ['no header', undefined, 'application/json'],
  ['an empty header', '', 'application/json'],
  ['anything', '*/*', 'application/json'],
  ['one', 'text/csv', 'text/csv'],
  ['another name of a format', 'text/xml', 'text/xml'],
  ['weights', 'application/json;q=0.5, application/cbor;q=0.9', 'application/cbor'],
  ['a range', 'text/*', 'text/xml'],
  ['a range without a type of its own kind', 'text/*, text/xml;q=0', 'text/csv'],
  ['the Accept of a browser', 'text/html,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['parameters', 'text/plain; format=flowed; q=0.5', 'text/plain'],
  ['capitals', 'Application/YAML', 'application/yaml'],
  ['an unknown type beside a known one', 'image/png, text/plain;q=0.1', 'text/plain'],
  ['a rejection of JSON', '*/*, application/json;q=0', 'application/xml'],
])('Accept with %s', (_name, accept, mediaType) => {
  expect(negotiate(accept)?.mediaType).toBe(mediaType);
});

test.each(['image/png', '*/*;q=0', 'application/json;q=0'])('Accept: %j matches none', (accept) => {
  expect(negotiate(accept)).toBeUndefined();
});
