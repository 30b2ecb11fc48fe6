/** Queries of a caller's data, which may name fields that later records have brought, or parameters of json-server. */

import { turns } from '../../../base/work-in-turns.js';
import { isFaultParameter } from '../../../kit/describe/fault-parameters.js';
import { listParameters, namesIn } from '../read/list-query.js';
import { readValue } from '../read/read-value.js';
import { type Query, rejectFaults } from '../source/faults.js';
import type { Call, Source } from '../source/source.js';
import { inferShape } from './load/infer-shape.js';
import { fieldsOf } from './own-fields.js';

export async function forQuery(call: Call): Promise<Call> {
  const { source, query } = call;
  const { fields, fieldNames } = source;
  const isKnown = (name: string) =>
    fields.filter(name) !== undefined || fieldNames.includes(name) || listParameters.includes(name);
  const listed = [query.sort, query.fields].filter((text) => typeof text === 'string');
  const sorted = listed.flatMap(namesIn).map((name) => name.replace(/^-/, ''));
  const names = [...Object.keys(query), ...sorted];
  if (names.every(isKnown) && areReadable(source, query)) return call;
  const records = await call.read((all) => all.list());
  // The initial records are frozen, and their fields never change.
  const isWritten = records.some((record) => !Object.isFrozen(record));
  const wider = isWritten ? call.to({ ...source, ...fieldsOf(inferShape(records)) }) : call;
  if (isWritten) await turns.next();
  rejectJsonServerParameters(wider);
  return wider;
}

/** Whether the values are of the kinds that the fields began with; later records may hold others. */
function areReadable({ fields }: Source, query: Query): boolean {
  return Object.entries(query).every(([name, given]) => {
    const filter = fields.filter(name);
    if (filter === undefined) return true;
    const texts = [given].flat();
    const each = filter.operator === '_in' ? texts.flatMap((text) => text.split(',')) : texts;
    return each.every((text) => readValue(filter.field, text) !== undefined);
  });
}

const ours: Readonly<Record<string, string>> = {
  _page: 'page, with limit beside it',
  _limit: 'limit',
  _per_page: 'limit',
  _sort: 'sort',
  _order: 'order, or a - before the field in sort',
  _start: 'offset',
  _end: 'offset and limit',
  _embed: 'embed',
  _expand: 'embed',
  _where: 'the filters one by one: field, field_gte, field_in …',
  _dependent: 'a DELETE for each record that depends on it',
};

const comparing = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in'];
const searching = ['contains', 'startsWith', 'endsWith'];

/** Rejects parameters of json-server that mean something else here, or nothing, with the name of ours. */
function rejectJsonServerParameters({ source: { fields }, query }: Call): void {
  const faults = Object.keys(query).flatMap((field) => {
    if (fields.filter(field) !== undefined || isFaultParameter(field, query)) return [];
    const instead = oursFor(field);
    if (instead === undefined) return [];
    return { field, message: `${field} is json-server's; here it is ${instead}.` };
  });
  rejectFaults(faults);
}

function oursFor(name: string): string | undefined {
  if (Object.hasOwn(ours, name)) return ours[name];
  if (name.endsWith('_like')) return 'q, which searches all texts';
  const [, field, operator = ''] = /^(.+):(\w+)$/.exec(name) ?? [];
  if (field === undefined) return undefined;
  if (comparing.includes(operator)) return operator === 'eq' ? field : `${field}_${operator}`;
  return searching.includes(operator) ? 'q, which searches all texts' : undefined;
}
