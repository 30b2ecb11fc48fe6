/** What may stand in a query more than once is described as a list, and nothing else is. */

import { expect, test } from 'vitest';
import { faultParameters } from '../../src/server/fault-parameters.js';
import { useService } from '../support/service.js';
import { Contract, type Parameter } from './contract.js';

const { send } = useService();

const operationIds = [
  'getBooks',
  'getBooksCount',
  'getEvents',
  'getEventsCount',
  'getEventsUpcoming',
];

/** A value that the parameter takes, which in a list by comma is one of its field. */
function valueFor({ name, schema }: Parameter, all: readonly Parameter[]): string {
  const field = all.find((each) => each.name === name.replace(/_in$/, ''));
  const items = (field ?? { schema }).schema.items as { type: string } | undefined;
  const type = items?.type ?? schema.type;
  if (type === 'integer' || type === 'number') return '1';
  if (type === 'boolean') return 'true';
  // A time is a text, too.
  return { sort: 'id', order: 'asc' }[name] ?? '2027-01-01T00:00:00Z';
}

test.each(operationIds)(
  'the parameters of %s that are lists can be repeated, and no others',
  async (id) => {
    const contract = new Contract((await send('GET /openapi.json')).json);
    const { address } = contract.operation(id);
    const parameters = contract.parameters(id).filter(({ in: place, name }) => {
      return place === 'query' && !Object.hasOwn(faultParameters, name);
    });
    expect(parameters.length).toBeGreaterThan(40);
    for (const parameter of parameters) {
      const { name, schema } = parameter;
      const isList = schema.type === 'array';
      expect(parameter, name).toMatchObject(isList ? { style: 'form', explode: true } : {});
      const pair = `${name}=${valueFor(parameter, parameters)}`;
      const limit = name === 'page' ? '&limit=1' : '';
      expect((await send(`GET ${address.path}?${pair}${limit}`)).status, pair).toBe(200);
      const twice = await send(`GET ${address.path}?${pair}&${pair}${limit}`);
      expect(twice.status, `${pair} twice`).toBe(isList ? 200 : 400);
    }
  },
);
