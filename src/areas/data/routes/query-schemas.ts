/** The query parameters of reads, for their description. */

import { type TSchema, Type } from 'typebox';
import { maxLimit, maxSearchLength } from '../read/read-list-query.js';

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

/** Of reads of a record. `embeds` are the names of what can be put into it; they are not known of every source. */
export function recordQuery(embeds: readonly string[] | 'any') {
  if (embeds.length === 0) return optional(fields);
  const names = embeds === 'any' ? '' : `: ${embeds.join(', ')}`;
  const embed = Type.String({ description: `Other records to put into each, by comma${names}.` });
  return optional({ ...fields, embed });
}

/** Of lists. One parameter stands for all `filters`: each member of its object is a parameter by itself. */
export function listQuery(filters: TSchema, embeds: readonly string[] | 'any') {
  return { ...optional(windowSchemas), ...recordQuery(embeds), ...filterQuery(filters) };
}

/** Of counts. */
export function filterQuery(filters: TSchema) {
  return optional({ ...search, filters });
}

function optional(schemas: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries);
}
