/** JSON:API 1.1 (jsonapi.org): records as resource objects, with relationships and links. */

import type { DataRecord, FieldValue } from '../source/fields.js';
import { type Relation, recordPath, type Source } from '../source/source.js';
import { type Format, type FormatContext, plainShape, withUrls } from './format.js';

export const jsonApiType = 'application/vnd.api+json';

const jsonapi = { version: '1.1' };

function identifierOf({ name, isSingle }: Source, id: FieldValue) {
  return { type: name, id: isSingle ? name : String(id) };
}

const idOf = ({ idName }: Source, record: DataRecord) => record[idName] ?? null;

function urlOf({ baseUrl }: FormatContext, source: Source, id: FieldValue): string {
  return baseUrl + recordPath(source, String(id));
}

function resourceObject(context: FormatContext, record: DataRecord) {
  const { source, shape, baseUrl } = context;
  const { fields } = shape;
  const embeds = new Map(shape.embeds.map((relation) => [relation.name, relation]));
  const others = source.relations(record).filter(({ name }) => !embeds.has(name));
  const relations = [...others, ...shape.embeds];
  const parents = relations.filter(({ kind }) => kind === 'parent');
  const keys = new Set(parents.map(({ field }) => field));
  const { [source.idName]: id = '', ...members } = withUrls(record, source, baseUrl);
  const attributes = Object.entries(members).filter(
    ([name]) => !keys.has(name) && (fields?.has(name) ?? true),
  );
  const isShown = ({ kind, field, name }: Relation) =>
    fields === undefined || (kind === 'parent' && fields.has(field)) || embeds.has(name);
  const relationships = relations
    .filter(isShown)
    .map((relation) => [relation.name, relationship(context, relation, record)]);
  return {
    ...identifierOf(source, id),
    attributes: Object.fromEntries(attributes),
    ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
    links: { self: urlOf(context, source, id) },
  };
}

function relationship(context: FormatContext, relation: Relation, record: DataRecord) {
  const { kind, field, other, segment } = relation;
  if (kind === 'parent') {
    const id = record[field] ?? null;
    if (id === null) return { data: null };
    return { links: { related: urlOf(context, other, id) }, data: identifierOf(other, id) };
  }
  const children = context.related.get(relation)?.(record) as readonly DataRecord[] | undefined;
  return {
    links: {
      related: `${urlOf(context, context.source, idOf(context.source, record))}/${segment}`,
    },
    ...(children && { data: children.map((child) => identifierOf(other, idOf(other, child))) }),
  };
}

/** Writes embedded records, each once and complete, except records that are already in the response. */
function* embedded(context: FormatContext, records: readonly DataRecord[]): Generator<object> {
  const keyOf = (source: Source, record: DataRecord) => `${source.name} ${idOf(source, record)}`;
  const known = new Set(records.map((record) => keyOf(context.source, record)));
  for (const relation of context.shape.embeds) {
    const { other: source } = relation;
    const whole = { ...context, source, shape: plainShape, related: new Map() };
    for (const record of records) {
      for (const other of [context.related.get(relation)?.(record) ?? []].flat() as DataRecord[]) {
        const key = keyOf(source, other);
        if (!known.has(key)) yield resourceObject(whole, other);
        known.add(key);
      }
    }
  }
}

function* withCommas<Each>(values: Iterable<Each>, show: (value: Each) => object) {
  let before = '';
  for (const value of values) {
    yield before + JSON.stringify(show(value));
    before = ',';
  }
}

export const jsonApiFormat: Format = {
  name: 'jsonapi',
  types: [jsonApiType],
  contentTypeOf: () => jsonApiType,
  *write(context, records, paging) {
    const { self, shape } = context;
    const meta = paging && { total: paging.total };
    const top = { jsonapi, ...(meta && { meta }), links: { self, ...paging?.links } };
    yield `${JSON.stringify(top).slice(0, -1)},"data":${paging ? '[' : ''}`;
    yield* withCommas(records, (record) => resourceObject(context, record));
    if (paging) yield ']';
    if (shape.embeds.length > 0) {
      yield ',"included":[';
      yield* withCommas(embedded(context, records), (each) => each);
      yield ']';
    }
    yield '}';
  },
};
