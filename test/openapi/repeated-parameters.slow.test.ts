/** Parameters that may be repeated are described as a list or as a filter, and no others. */

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/describe/openapi/json.js';
import { faultParameters } from '../../src/kit/describe/fault-parameters.js';
import { useService } from '../support/service.js';
import { Contract } from './contract.js';

const { send } = useService();

const operationIds = [
  'getBooks',
  'getBooksCount',
  'getEvents',
  'getEventsCount',
  'getEventsUpcoming',
  'getEmployees',
];

/** A value that is valid for a parameter of this name and type. */
function valueFor(name: string, type: unknown): string {
  if (/_(?:ne|in|[gl]te?)$/.test(name)) return valueFor(name.replace(/_\w+$/, ''), type);
  const [first] = [type].flat();
  if (first === 'integer' || first === 'number') return '1';
  if (first === 'boolean') return 'true';
  const others: Readonly<Record<string, string>> = {
    sort: 'id',
    order: 'asc',
    fields: 'id',
    formulas: 'escape',
  };
  if (/Date$/.test(name)) return '2027-01-01';
  // A time is a string, too.
  return others[name] ?? '2027-01-01T00:00:00Z';
}

function firstType(contract: Contract, schema: JsonObject): unknown {
  const { type, anyOf } = contract.resolve<JsonObject>(schema);
  return anyOf === undefined ? type : (anyOf as readonly JsonObject[])[0]?.type;
}

test.each(operationIds)(
  'the parameters of %s that are lists can be repeated, and no others',
  async (id) => {
    const contract = new Contract((await send('GET /openapi.json?formats=all')).json);
    const { address } = contract.operation(id);
    const parameters = contract.parameters(id).filter(({ in: place, name }) => {
      return place === 'query' && !Object.hasOwn(faultParameters, name) && name !== 'embed';
    });
    async function check(name: string, type: unknown, isList: boolean) {
      const pair = `${name}=${valueFor(name, type)}`;
      const limit = name === 'page' ? '&limit=1' : '';
      expect((await send(`GET ${address.path}?${pair}${limit}`)).status, pair).toBe(200);
      // A filter that compares is described with one value, and accepts several as all filters do.
      if (/_[gl]te?$/.test(name)) return;
      const twice = await send(`GET ${address.path}?${pair}&${pair}${limit}`);
      expect(twice.status, `${pair} twice`).toBe(isList ? 200 : 400);
    }
    const typeOf = new Map(
      parameters.map(({ name, schema }) => [name, firstType(contract, schema)]),
    );
    let filters = 0;
    for (const { name, schema } of parameters) {
      const isList = JSON.stringify(contract.resolve(schema)).includes('"array"');
      // A comma-separated list is a string, whatever its members are.
      await check(name, typeOf.get(name.replace(/_in$/, '')), isList);
      if (isList || /_[gl]te?$/.test(name)) filters += 1;
    }
    expect(filters).toBeGreaterThan(40);
  },
);
