/** JSON:API 1.1 (jsonapi.org): records as resource objects, with relationships and links. */

import {
  type DataRecord,
  type FieldValue,
  type Relation,
  recordPath,
  type Source,
} from '../source/source.js';
import { type Format, type FormatContext, wholeRecord } from './format.js';

export const jsonApiType = 'application/vnd.api+json';

type Member = FieldValue;
const jsonapi = { version: '1.1' };

const identifierOf = ({ name, isSingle }: Source, { id }: { readonly id: FieldValue }) => ({
  type: name,
  id: isSingle ? name : String(id),
});

function addressOf({ baseUrl }: FormatContext, source: Source, id: FieldValue): string {
  return baseUrl + recordPath(source, String(id));
}

/** Of a record that is not the one asked for, all fields. */
function resourceObject(
  context: FormatContext,
  source: Source,
  record: DataRecord,
  isEmbedded: boolean,
): Member {
  const fields = isEmbedded ? undefined : context.shape.fields;
  const relations = source.relations();
  const keys = new Set(relations.filter(({ kind }) => kind === 'parent').map(({ field }) => field));
  const { id: _id, ...others } = wholeRecord(record, source, context.baseUrl);
  const attributes = Object.entries(others).filter(
    ([name]) => !keys.has(name) && (fields === undefined || fields.has(name)),
  );
  const isShown = ({ kind, field, name }: Relation) =>
    fields === undefined ||
    (kind === 'parent' && fields.has(field)) ||
    context.shape.embeds.some((each) => each.name === name);
  const relationships = relations
    .filter(isShown)
    .map((relation) => [
      relation.name,
      relationship(context, source, relation, record, isEmbedded),
    ]);
  return {
    ...identifierOf(source, record),
    attributes: Object.fromEntries(attributes),
    ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
    links: { self: addressOf(context, source, record.id) },
  };
}

function relationship(
  context: FormatContext,
  source: Source,
  relation: Relation,
  record: DataRecord,
  isEmbedded: boolean,
): Member {
  const { kind, field, other, segment } = relation;
  if (kind === 'parent') {
    const id = record[field] ?? null;
    if (id === null) return { data: null };
    return {
      links: { related: addressOf(context, other, id) },
      data: identifierOf(other, { id }),
    };
  }
  const children = isEmbedded ? undefined : context.related.get(relation)?.(record);
  return {
    links: { related: `${addressOf(context, source, record.id)}/${segment}` },
    ...(Array.isArray(children) && {
      data: children.map((child: DataRecord) => identifierOf(other, child)),
    }),
  };
}

/** The records that are embedded, each once, and none that is among the response's own. */
function* includedIn(context: FormatContext, records: readonly DataRecord[]): Generator<Member> {
  const known = new Set(records.map(({ id }) => `${context.source.name} ${id}`));
  for (const relation of context.shape.embeds) {
    const relatedTo = context.related.get(relation);
    for (const record of records) {
      for (const other of [relatedTo?.(record) ?? []].flat() as readonly DataRecord[]) {
        const key = `${relation.other.name} ${other.id}`;
        if (known.has(key)) continue;
        known.add(key);
        yield resourceObject(context, relation.other, other, true);
      }
    }
  }
}

/** As the last member, where anything is embedded. */
function* writeIncluded(context: FormatContext, records: readonly DataRecord[]): Generator<string> {
  if (context.shape.embeds.length === 0) return;
  yield ',"included":[';
  let before = '';
  for (const each of includedIn(context, records)) {
    yield before + JSON.stringify(each);
    before = ',';
  }
  yield ']';
}

export const jsonApiFormat: Format = {
  name: 'jsonapi',
  types: [jsonApiType],
  contentTypeOf: () => jsonApiType,
  *writeOne(context, record) {
    const top = { jsonapi, links: { self: context.self } };
    const data = resourceObject(context, context.source, record, false);
    yield JSON.stringify({ ...top, data }).slice(0, -1);
    yield* writeIncluded(context, [record]);
    yield '}';
  },
  *writeList(context, records, { total, links }) {
    const top = { jsonapi, meta: { total }, links: { self: context.self, ...links } };
    yield `${JSON.stringify(top).slice(0, -1)},"data":[`;
    let before = '';
    for (const record of records) {
      yield before + JSON.stringify(resourceObject(context, context.source, record, false));
      before = ',';
    }
    yield ']';
    yield* writeIncluded(context, records);
    yield '}';
  },
};
