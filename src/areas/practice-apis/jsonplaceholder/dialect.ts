/** JSONPlaceholder: json-server 0.17 over fixed data, whose writes are not kept. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { runSoon } from '#base/run-steps.js';
import { inSlices, streamOf } from '#http/sending/stream-of.js';
import { list0 } from '#kit/json-server/list-0.js';
import { readBody0 } from '#kit/json-server/read-body.js';
import { firstOf, type GivenQuery, readQuery } from '#kit/json-server/read-query.js';
import { checkNames, embed0, expand0, type Relate, singular } from '#kit/json-server/relate.js';
import { send0 } from '#kit/json-server/send.js';
import { baseMark, type Call } from '../dialect/call.js';
import type { Collection, Item } from '../dialect/collection.js';
import { collectionsOf, declareDialect } from '../dialect/declare.js';
import { Outcome, plainText } from '../dialect/outcome.js';
import { picture } from '../dialect/picture.js';

const collections = collectionsOf('jsonplaceholder');
const names = { id: 'id', foreignKeySuffix: 'Id' };
const missing = new Outcome(404, {});

/** Longer lists are sent while they are written. */
const longList = 1000;

function collectionIn({ params }: Call, name: 'resource' | 'nested' = 'resource'): Collection {
  const { [name]: wanted = '' } = params;
  if (!Object.hasOwn(collections, wanted)) throw missing;
  return collections[wanted] as Collection;
}

async function queryOf(call: Call): Promise<Map<string, readonly string[]>> {
  const query = new Map(readQuery(call.request.url));
  await call.wait(Number.parseFloat(firstOf(query, '_delay') ?? ''));
  return query;
}

async function listOf(call: Call, name: string, of: Collection, query: GivenQuery) {
  const { items, headers } = await runSoon(list0(await call.list(of), query, call.sentUrl));
  return new Outcome(200, await related(call, name, items, query), headers);
}

async function related(call: Call, name: string, items: readonly unknown[], query: GivenQuery) {
  const [embedded, expanded] = ['_embed', '_expand'].map((each) =>
    (query.get(each) ?? []).filter(Boolean),
  ) as [string[], string[]];
  checkNames([...embedded, ...expanded]);
  const read = async (other: string) =>
    Object.hasOwn(collections, other) ? call.list(collections[other] as Collection) : undefined;
  const relates: Relate[] = [];
  for (const each of embedded) relates.push(await embed0(name, each, names, read));
  for (const each of expanded) relates.push(await expand0(each, names, read));
  if (relates.length === 0) return items;
  return items.map((item) => relates.reduce((made, relate) => relate(made), item as JsonObject));
}

async function list(call: Call) {
  const of = collectionIn(call);
  return listOf(call, call.params.resource ?? '', of, await queryOf(call));
}

async function show(call: Call) {
  const of = collectionIn(call);
  const query = await queryOf(call);
  const found = await call.find(of, call.params.id ?? '');
  if (found === undefined) return missing;
  return (await related(call, call.params.resource ?? '', [found], query))[0];
}

const foreignKey = ({ params }: Call) => `${singular(params.resource ?? '')}Id`;

async function listBelow(call: Call) {
  const of = collectionIn(call, 'nested');
  const query = await queryOf(call);
  query.set(foreignKey(call), [call.params.id ?? '']);
  return listOf(call, call.params.nested ?? '', of, query);
}

async function createIn(call: Call, of: Collection, more: JsonObject = {}) {
  const body = await readBody0(call.request);
  await queryOf(call);
  const item = await call.create(of, (id) => ({ ...body, ...more, id }));
  const location = `${call.sentUrl.split('?', 1)[0]}/${item.id}`;
  return new Outcome(201, item, { location });
}

/** The response of the original when it replaces a record that it does not have. */
const cannotReplace = new Outcome(
  500,
  "TypeError: Cannot read properties of undefined (reading 'id')",
  plainText,
);

async function update(call: Call) {
  const of = collectionIn(call);
  const body = await readBody0(call.request);
  await queryOf(call);
  const isPatch = call.request.method === 'PATCH';
  const changed = await call.change(of, call.params.id ?? '', (item) =>
    isPatch ? { ...item, ...body, id: item.id } : { ...body, id: item.id },
  );
  if (changed !== undefined) return changed;
  if (await call.keeps()) return missing;
  return isPatch ? body : cannotReplace;
}

async function remove(call: Call) {
  const of = collectionIn(call);
  await queryOf(call);
  if (!(await call.keeps())) return {};
  const key = foreignKey(call);
  const isRemoved = await call.write((rowsOf) => {
    if (!rowsOf(of).remove(call.params.id ?? '')) return false;
    // Like json-server, removes records that belonged to it.
    for (const other of Object.values(collections)) {
      if (!Object.hasOwn(other.dataset().rows[0] as Item, key)) continue;
      const rows = rowsOf(other);
      const orphans = rows.list().filter((item) => String(item[key]) === call.params.id);
      for (const { id } of orphans) rows.remove(id);
    }
    return true;
  });
  return isRemoved ? {} : missing;
}

async function all(call: Call) {
  const entries = Object.entries(collections).map(async ([name, of]) => [
    name,
    await call.list(of),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

async function send(call: Call, { status, body, headers }: Outcome) {
  const { request, reply } = call;
  const { 'content-type': type, ...rest } = headers as Record<string, string>;
  if (type !== undefined) return reply.code(status).headers(headers).send(body);
  const isLong =
    Array.isArray(body) && body.length >= longList && !request.url.includes('callback');
  if (!isLong) return send0(request, reply, { status, headers: rest, value: withUrls(call, body) });
  reply.code(status).headers(rest).type('application/json; charset=utf-8');
  return reply.send(streamOf(request, () => inSlices(pieces(call, body))));
}

/** Writes a list like `JSON.stringify` with two spaces. */
function* pieces(call: Call, items: readonly unknown[]): Generator<string> {
  let before = '[\n';
  for (const item of items) {
    const text = JSON.stringify(withUrls(call, item), null, 2).replaceAll('\n', '\n  ');
    yield `${before}  ${text}`;
    before = ',\n';
  }
  yield '\n]';
}

/** Only photos have URLs. */
function withUrls(call: Call, value: unknown): unknown {
  if (typeof value === 'string') return value.replace(baseMark, () => call.url());
  if (Array.isArray(value)) return value.map((each) => withUrls(call, each));
  if (!isObject(value) || !('thumbnailUrl' in value || 'photos' in value || 'photo' in value))
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withUrls(call, each)]),
  );
}

export const dialect = declareDialect(
  'jsonplaceholder',
  {
    getAll: all,
    getPicture: picture,
    listRecords: list,
    getRecord: show,
    listBelow,
    createRecord: (call) => createIn(call, collectionIn(call)),
    createBelow: (call) =>
      createIn(call, collectionIn(call, 'nested'), { [foreignKey(call)]: call.params.id }),
    replaceRecord: update,
    changeRecord: update,
    deleteRecord: remove,
  },
  { unknown: () => missing, send },
);
