import { describe, expect, test } from 'vitest';
import { type FieldKind, FieldTable, fieldAt } from './fields.js';

const tableOf = (...fields: [name: string, kind: FieldKind][]) =>
  new FieldTable(fields.map(([name, kind]) => fieldAt([name], kind, false)));

const all = ['', '_gte', '_lte', '_gt', '_lt', '_ne', '_in'];

test.each<[FieldKind, string[]]>([
  ['boolean', ['', '_ne', '_in']],
  ['texts', ['', '_ne', '_in']],
  ['text', all],
  ['number', all],
  ['timestamp', all],
])('a field of kind %s supports %j', (kind, operators) => {
  const table = tableOf(['a', kind]);
  const supported = all.filter((operator) => table.filter(`a${operator}`) !== undefined);
  expect(supported).toEqual(operators);
});

describe('a parameter is', () => {
  test.each<[string, FieldTable, string, string | undefined]>([
    ['a field', tableOf(['a', 'text']), 'a', 'a'],
    ['a field and an operator', tableOf(['a', 'text']), 'a_lt', 'a _lt'],
    ['a field with a dot', tableOf(['a.b', 'text']), 'a.b_in', 'a.b _in'],
    ['a field whose name ends like an operator', tableOf(['a_lt', 'text']), 'a_lt', 'a_lt'],
    ['such a field with an operator', tableOf(['a_lt', 'text']), 'a_lt_lt', 'a_lt _lt'],
    ['the later of two fields', tableOf(['a', 'text'], ['a_lt', 'number']), 'a_lt', 'a_lt'],
    [
      'the later of two fields, with its operator',
      tableOf(['a_lt', 'number'], ['a', 'text']),
      'a_lt',
      'a _lt',
    ],
    ['the field that has an order', tableOf(['a_lt', 'number'], ['a', 'texts']), 'a_lt', 'a_lt'],
    ['no field', tableOf(['a', 'text']), 'b', undefined],
    ['no operator', tableOf(['a', 'text']), 'a_is', undefined],
    ['only an operator', tableOf(['a', 'text']), '_lt', undefined],
  ])('%s', (_what, table, parameter, expected) => {
    const filter = table.filter(parameter);
    expect(filter && `${filter.field.name} ${filter.operator}`.trim()).toBe(expected);
  });
});
