/** The query parameters of reads, for their description. */

import { type TSchema, Type } from 'typebox';
import type { RecordDeclaration } from '../../../data/declare-record.js';
import { maxLimit, maxSearchLength } from '../read/list-parameters.js';
import { isTaken } from '../read/match-field.js';
import { type FieldKind, type RecordField, recordFields } from '../source/record-fields.js';

const windowSchemas = {
  limit: Type.Integer({
    minimum: 1,
    maximum: maxLimit,
    description: 'How many records at most; all when it is left out.',
  }),
  page: Type.Integer({ minimum: 1, description: 'From 1; needs limit.' }),
  offset: Type.Integer({
    minimum: 0,
    description: 'How many records to pass over; page beats it.',
  }),
  sort: Type.String({
    description: 'Fields by comma, 10 at most, each with a - before it for descending order.',
  }),
  order: Type.String({
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'Of sort, or of the ids without one.',
  }),
};

const search = {
  q: Type.Array(Type.String({ maxLength: maxSearchLength }), {
    description: 'Records in which any text contains this, whatever the case; of several, each.',
  }),
};

const fields = {
  fields: Type.String({
    description: 'The fields to return, separated by commas; all by default.',
  }),
  formulas: Type.String({
    enum: ['escape'],
    description:
      "In CSV, puts ' before texts that begin with =, +, -, @, a tab or CR. Spreadsheets would run them as formulas.",
  }),
};

/** What a record is read with; `embeds` are the names of what can be put into it. */
export function recordQuery(embeds: readonly string[]) {
  if (embeds.length === 0) return optional(fields);
  const embed = Type.String({
    description: `Other records to put into each, by comma: ${embeds.join(', ')}.`,
  });
  return optional({ ...fields, embed });
}

/** What a list is read with. */
export function listQuery(record: RecordDeclaration, embeds: readonly string[]) {
  return {
    ...optional(windowSchemas),
    ...recordQuery(embeds),
    ...filterQuery(record),
  };
}

/** What a list of records is read with whose fields are not known before. */
export function anyListQuery() {
  const embed = Type.String({ description: 'Other records to put into each, by comma.' });
  return { ...optional({ ...windowSchemas, ...fields, embed }), ...anyFilterQuery() };
}

/** What they are counted with. */
export function anyFilterQuery() {
  const filters = Type.Unsafe<object>({
    type: 'object',
    title: 'OwnFilters',
    description:
      'Any field as a parameter of its own, one inside another by a dot; with _ne, _in, _gt, _gte, _lt and _lte after its name as at other collections.',
    additionalProperties: { type: 'string' },
  });
  return optional({ ...search, filters });
}

/** What a count is made with. */
export function filterQuery(record: RecordDeclaration) {
  return optional({ ...search, filters: filterSchema(record) });
}

const valueTypes: Readonly<Record<FieldKind, string>> = {
  text: 'string',
  texts: 'string',
  'whole number': 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
  timestamp: 'string',
};

/** One parameter stands for all filters: each member of its object is a parameter by itself. */
function filterSchema({ type, fields: schemas }: RecordDeclaration): TSchema {
  const known = recordFields(schemas);
  const ordered = known.filter(({ kind }) => isTaken(kind, '_gt'));
  return Type.Unsafe<object>({
    type: 'object',
    title: `${type}Filters`,
    description:
      'Any field as a parameter of its own, which may be repeated: it equals the value, or one of several; a list contains it. With _ne after its name it does not, with _in it is one of several by comma; with _gt, _gte, _lt and _lte, where it has an order, it is more, at least, less, at most. A date stands for all of its day.',
    properties: Object.fromEntries(known.map((field) => [field.name, valueSchema(field)])),
    patternProperties: {
      [`^(?:${namesOf(known)})_(?:ne|in)$`]: { type: 'string' },
      [`^(?:${namesOf(ordered)})_[gl]te?$`]: { type: 'string' },
    },
    additionalProperties: false,
  });
}

function valueSchema({ kind, isNullable }: RecordField) {
  const type = valueTypes[kind];
  return { type: isNullable && type !== 'string' ? [type, 'string'] : type };
}

function namesOf(known: readonly RecordField[]): string {
  return known.map(({ name }) => name.replaceAll('.', '\\.')).join('|');
}

function optional(schemas: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries);
}
