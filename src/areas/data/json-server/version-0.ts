/** Handlers for the paths of json-server 0.17. */

import { runSoon } from '#base/run-steps.js';
import { shownPath } from '#http/address/mount.js';
import { originForm } from '#http/address/target.js';
import type { HeldRequests } from '#http/held-requests.js';
import { list0 } from '#kit/json-server/list-0.js';
import { type Body, readBody0 } from '#kit/json-server/read-body.js';
import { firstOf, type GivenQuery, readQuery } from '#kit/json-server/read-query.js';
import { checkNames, embed0, expand0, type Relate, singular } from '#kit/json-server/relate.js';
import { send0 } from '#kit/json-server/send.js';
import type { Dialect, Exchange, Sending } from './dialect.js';
import { create0, remove0, update, updateSingle } from './write.js';

const missing: Sending = { status: 404, value: {} };
const foundOr404 = (value: unknown): Sending => (value === undefined ? missing : { value });

/** Returns the complete URL of a request, as the client sent it. */
function urlOf({ request: { baseUrl, raw, url } }: Exchange): string {
  return baseUrl + shownPath(raw, originForm(url));
}

export const version0: Dialect = {
  send: send0,

  async list(exchange, resource) {
    const query = new Map(readQuery(exchange.request.url));
    await wait(exchange, query);
    return listOf(exchange, resource, query);
  },

  async show(exchange, resource, id) {
    const query = readQuery(exchange.request.url);
    await wait(exchange, query);
    const members = await exchange.members();
    const member = members.find(resource);
    const found = member && (await members.get(member.name, id));
    if (member === undefined || found === undefined) return missing;
    const [value] = await related(exchange, member.name, [found], query);
    return { value };
  },

  async listBelow(exchange, { resource, id, nested }) {
    const query = new Map(readQuery(exchange.request.url));
    await wait(exchange, query);
    const { foreignKeySuffix } = (await exchange.members()).fieldNames;
    query.set(singular(resource) + foreignKeySuffix, [id]);
    return listOf(exchange, nested, query);
  },

  async createBelow(exchange, { resource, id, nested }) {
    const body = await bodyOf(exchange);
    const { foreignKeySuffix } = (await exchange.members()).fieldNames;
    return createIn(exchange, nested, { ...body, [singular(resource) + foreignKeySuffix]: id });
  },

  async create(exchange, resource) {
    return createIn(exchange, resource, await bodyOf(exchange));
  },

  async updateSingle(exchange, resource, isPatch) {
    const body = await bodyOf(exchange);
    const value = await exchange.write((members) => {
      const member = members.find(resource);
      return member?.isSingle ? updateSingle(members, member, { body, isPatch }) : undefined;
    });
    return foundOr404(value);
  },

  async update(exchange, { resource, id }, isPatch) {
    const body = await bodyOf(exchange);
    const value = await exchange.write((members) => {
      const member = members.find(resource);
      const isRecord = member !== undefined && !member.isSingle;
      return isRecord ? update(members, member, { id, body, isPatch }) : undefined;
    });
    return foundOr404(value);
  },

  async remove(exchange, { resource, id }) {
    await wait(exchange);
    const isRemoved = await exchange.write((members) => {
      const member = members.find(resource);
      return member !== undefined && !member.isSingle && remove0(members, member, id);
    });
    return isRemoved ? { value: {} } : missing;
  },

  all: async (exchange) => ({ value: await (await exchange.members()).all() }),

  async none(exchange) {
    await wait(exchange);
    return missing;
  },
};

/** Reads the body of a write, and then waits, so that a malformed body is rejected at once. */
async function bodyOf(exchange: Exchange): Promise<Body> {
  const body = await readBody0(exchange.request);
  await wait(exchange);
  return body;
}

async function listOf(exchange: Exchange, resource: string, query: GivenQuery): Promise<Sending> {
  const members = await exchange.members();
  const member = members.find(resource);
  if (member === undefined) return missing;
  const value = await members.read(member.name);
  if (!Array.isArray(value)) return { value };
  const { items, headers } = await runSoon(list0(value, query, urlOf(exchange)));
  return { value: await related(exchange, member.name, items, query), headers };
}

async function related(
  exchange: Exchange,
  name: string,
  items: readonly unknown[],
  query: GivenQuery,
): Promise<readonly unknown[]> {
  const [embedded, expanded] = [query.get('_embed') ?? [], query.get('_expand') ?? []];
  const wanted = [...embedded, ...expanded].filter(Boolean);
  if (wanted.length === 0) return items;
  checkNames(wanted);
  const members = await exchange.members();
  const read = (other: string) => members.read(other);
  const relates: Relate[] = [];
  for (const each of embedded.filter(Boolean)) {
    relates.push(await embed0(name, each, members.fieldNames, read));
  }
  for (const each of expanded.filter(Boolean)) {
    relates.push(await expand0(each, members.fieldNames, read));
  }
  return items.map((item) =>
    typeof item === 'object' && item !== null
      ? relates.reduce((made, relate) => relate(made), item as Readonly<Record<string, unknown>>)
      : item,
  );
}

async function createIn(
  exchange: Exchange,
  resource: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Sending> {
  const made = await exchange.write((members) => {
    const member = members.find(resource);
    if (member === undefined) return undefined;
    const { name } = member;
    if (member.isSingle) {
      const value = updateSingle(members, member, { body, isPatch: false });
      return { value, id: undefined };
    }
    const value = create0(members, { ...member, name }, body);
    return { value, id: value[members.fieldNames.id] };
  });
  if (made === undefined) return missing;
  const { value, id } = made;
  const url = urlOf(exchange);
  const location = id === undefined ? url : `${url}/${encodeURI(String(id))}`;
  return { status: 201, value, headers: { location } };
}

const maxDelayMs = 10_000;

/** Waits for `_delay` milliseconds, whatever the method, the path and the status. */
async function wait(
  { request, reply, services }: Exchange,
  query: GivenQuery = readQuery(request.url),
): Promise<void> {
  const ms = Number.parseFloat(firstOf(query, '_delay') ?? '');
  const { held }: { readonly held: HeldRequests } = services;
  if (ms >= 1) await held.hold(request, reply, Math.min(ms, maxDelayMs)).ended;
}
