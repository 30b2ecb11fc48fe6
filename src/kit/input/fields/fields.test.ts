import { expect, test } from 'vitest';
import { array, byMember, object } from './parts.js';
import { type Fault, nullable, optional, type Protocol } from './reader.js';
import { choice, integer, text } from './values.js';

const read = object({
  name: text({ max: 5 }),
  size: nullable(integer({ min: 1, max: 3 })),
  parts: optional(
    array(
      byMember('type', {
        text: object({ type: choice(['text']), text: text() }),
        url: object({ type: choice(['url']), url: text() }),
      }),
      { min: 1, max: 2 },
    ),
  ),
});

class WrongField extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.keyword);
    this.fault = fault;
  }
}

const protocol: Protocol = {
  pathTo: (path, step) => `${path}/${step}`,
  fault: (fault) => new WrongField(fault),
  rejectsUnknownFirst: false,
};

const fieldOf = (value: unknown) => ({ path: '', value, protocol });

test('returns the members', () => {
  const value = { name: 'a', size: null, parts: [{ type: 'url', url: 'b' }] };
  expect(read(fieldOf(value))).toEqual({ ...value, size: undefined });
});

test('describes the accepted values', () => {
  const part = (type: string) => ({
    type: 'object',
    properties: { type: { type: 'string', enum: [type] }, [type]: { type: 'string' } },
    required: ['type', type],
    additionalProperties: false,
  });
  expect(read.schema).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 5 },
      size: { type: ['integer', 'null'], minimum: 1, maximum: 3 },
      parts: {
        type: 'array',
        items: { anyOf: [part('text'), part('url')] },
        minItems: 1,
        maxItems: 2,
      },
    },
    required: ['name'],
    additionalProperties: false,
  });
});

test.each([
  [[], '', 'type'],
  [{}, '/name', 'required'],
  [{ name: null }, '/name', 'type'],
  [{ name: 'abcdef' }, '/name', 'maxLength'],
  [{ name: 'a', nam: 1 }, '/nam', 'additionalProperties'],
  [JSON.parse('{"name":"a","__proto__":1}'), '/__proto__', 'additionalProperties'],
  [{ name: 'a', size: 4 }, '/size', 'maximum'],
  [{ name: 'a', size: 1.5 }, '/size', 'type'],
  [{ name: 'a', parts: null }, '/parts', 'type'],
  [{ name: 'a', parts: [] }, '/parts', 'minItems'],
  [{ name: 'a', parts: [{ type: 'toString' }] }, '/parts/0/type', 'enum'],
  [{ name: 'a', parts: [{ type: 'text' }] }, '/parts/0/text', 'required'],
  [
    {
      name: 'a',
      parts: [
        { type: 'text', text: 'a' },
        { type: 'url', url: '', x: 1 },
      ],
    },
    '/parts/1/x',
    'additionalProperties',
  ],
])('rejects %j with the path %s', (value, path, keyword) => {
  const faults: Fault[] = [];
  try {
    read(fieldOf(value));
  } catch (thrown) {
    faults.push((thrown as WrongField).fault);
  }
  expect(faults).toMatchObject([{ path, keyword }]);
});

test('reports unknown members first, if the protocol does', () => {
  const value = { nam: 1 };
  const first = { ...protocol, rejectsUnknownFirst: true };
  expect(() => read({ path: '', value, protocol: first })).toThrow('additionalProperties');
});
