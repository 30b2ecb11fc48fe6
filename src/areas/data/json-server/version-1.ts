/** Handlers for the paths of json-server 1. */

import { runSoon } from '#base/run-steps.js';
import { readBody1 } from '#kit/json-server/read-body.js';
import { type GivenQuery, readQuery } from '#kit/json-server/read-query.js';
import { checkNames, embed1, type Relate } from '#kit/json-server/relate.js';
import { send1 } from '#kit/json-server/send.js';
import type { Dialect, Exchange, Sending } from './dialect.js';
import { cut1, list1 } from './list-1.js';
import type { Members } from './members.js';
import { create1, remove1, update, updateSingle } from './write.js';

const missing: Sending = { status: 404, value: { error: 'Not Found' } };
const noObject: Sending = { status: 400, value: { error: 'Body must be a JSON object' } };

const missingAlways = async () => missing;

export const version1: Dialect = {
  send: send1,

  async list(exchange, resource) {
    const query = readQuery(exchange.request.url);
    const members = await exchange.members();
    const member = members.find(resource);
    if (member === undefined) return missing;
    const all = await read(members, member.name);
    if (!Array.isArray(all)) return { value: all };
    const items = await related(members, member.name, all, query);
    return { value: cut1(await runSoon(list1(items, query)), query) };
  },

  async show(exchange, resource, id) {
    const query = readQuery(exchange.request.url);
    const members = await exchange.members();
    const member = members.find(resource);
    const found = member && (await members.get(member.name, id));
    if (member === undefined || found === undefined) return missing;
    const { id: idName } = members.fieldNames;
    const [value] = await related(members, member.name, [withTextId(found, idName)], query);
    return { value };
  },

  async create(exchange, resource) {
    const body = await readBody1(exchange.request);
    if (body === undefined) return noObject;
    const value = await exchange.write((members) => {
      const member = members.find(resource);
      return member === undefined || member.isSingle ? undefined : create1(members, member, body);
    });
    return value === undefined ? missing : { status: 201, value };
  },

  async updateSingle(exchange, resource, isPatch) {
    const body = await readBody1(exchange.request);
    if (body === undefined) return noObject;
    const value = await exchange.write((members) => {
      const member = members.find(resource);
      return member?.isSingle ? updateSingle(members, member, { body, isPatch }) : undefined;
    });
    return value === undefined ? missing : { value };
  },

  async update(exchange, { resource, id }, isPatch) {
    const body = await readBody1(exchange.request);
    if (body === undefined) return noObject;
    return shown(
      exchange,
      await exchange.write((members) => {
        const member = members.find(resource);
        const isRecord = member !== undefined && !member.isSingle;
        return isRecord ? update(members, member, { id, body, isPatch }) : undefined;
      }),
    );
  },

  async remove(exchange, { resource, id }) {
    const dependents = readQuery(exchange.request.url).get('_dependent') ?? [];
    return shown(
      exchange,
      await exchange.write((members) => {
        const member = members.find(resource);
        const isRecord = member !== undefined && !member.isSingle;
        return isRecord ? remove1(members, member, { id, dependents }) : undefined;
      }),
    );
  },

  listBelow: missingAlways,
  createBelow: missingAlways,
  all: missingAlways,
  none: missingAlways,
};

async function shown(exchange: Exchange, record: object | undefined): Promise<Sending> {
  if (record === undefined) return missing;
  const { id } = (await exchange.members()).fieldNames;
  return { value: withTextId(record, id) };
}

/** Returns ids as text, whatever their type in the data. */
function withTextId(item: object, idName: string): Readonly<Record<string, unknown>> {
  const record = item as Readonly<Record<string, unknown>>;
  const id = record[idName];
  return typeof id === 'number' ? { ...record, [idName]: String(id) } : record;
}

async function read(members: Members, name: string): Promise<unknown> {
  const value = await members.read(name);
  if (!Array.isArray(value)) return value;
  const { id } = members.fieldNames;
  return value.map((item: unknown) =>
    typeof item === 'object' && item !== null ? withTextId(item, id) : item,
  );
}

async function related(
  members: Members,
  name: string,
  items: readonly unknown[],
  query: GivenQuery,
): Promise<readonly unknown[]> {
  const names = (query.get('_embed') ?? []).filter(Boolean);
  if (names.length === 0) return items;
  checkNames(names);
  const relates: Relate[] = [];
  for (const each of names) {
    relates.push(await embed1(name, each, members.fieldNames, (other) => read(members, other)));
  }
  return items.map((item) =>
    typeof item === 'object' && item !== null
      ? relates.reduce((made, relate) => relate(made), item as Readonly<Record<string, unknown>>)
      : item,
  );
}
