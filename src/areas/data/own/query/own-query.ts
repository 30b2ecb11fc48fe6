/** Checks the names in queries of a caller's data, which may be fields of later records. */

import { parsePrefer } from '#http/headers/parse-prefer.js';
import { isFaultParameter } from '#kit/describe/fault-parameters.js';
import { listParameters } from '../../read/list-query.js';
import { rejectFaults } from '../../source/faults.js';
import type { DataRecord } from '../../source/fields.js';
import type { Call } from '../../source/source.js';
import { inferShape } from '../load/infer-shape.js';
import { type OpenFields, valueAt } from './open-fields.js';
import { ownFields, writtenIn } from './own-fields.js';

export async function queryOf(call: Call, fields: OpenFields): Promise<Call> {
  const { query, request, source } = call;
  rejectJsonServerParameters(call);
  const { prefer } = request.headers;
  if (prefer !== undefined && !fields.isClosed && isStrict(prefer)) {
    const shape = inferShape(await call.read((all) => all.list()));
    const names = ownFields(shape, source.idName).map(({ name }) => name);
    const fieldNames = [...new Set([source.idName, ...shape.properties.keys()])];
    const has = (name: string) => names.includes(name) || fieldNames.includes(name);
    return call.to({ ...source, fieldNames, fields: fields.within({ names, has }) });
  }
  const isAmbiguous = (name: string) =>
    !listParameters.includes(name) && (fields.isAmbiguous(name) || isReserved(name, query));
  const ambiguous = Object.keys(query).filter(isAmbiguous);
  if (ambiguous.length === 0) return call;
  const records = await call.read((all) => all.list());
  const found = namesIn(records, ambiguous);
  if (found.size === 0) return call;
  return call.to({ ...source, fields: fields.alsoKnowing((name) => found.has(name)) });
}

function isStrict(prefer: string | readonly string[]): boolean {
  return parsePrefer(String(prefer)).handling === 'strict';
}

function isReserved(name: string, query: object): boolean {
  return name === 'formulas' || isFaultParameter(name, query);
}

const maxAmbiguous = 20;

/** Returns which of the names occur in written records. The fields of the initial records are known. */
function namesIn(records: readonly DataRecord[], names: readonly string[]): ReadonlySet<string> {
  const written = writtenIn(records);
  const found = names
    .slice(0, maxAmbiguous)
    .filter((name) => written.some((record) => valueAt(name)(record) !== null));
  return new Set(found);
}

const ours: Readonly<Record<string, string>> = {
  _page: 'page and limit',
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

/** Rejects json-server's parameters that mean something else or nothing here, and names the equivalent. */
function rejectJsonServerParameters({ query }: Call): void {
  const faults = Object.keys(query).flatMap((field) => {
    const instead = oursFor(field);
    if (instead === undefined) return [];
    const message = `${field} is a parameter of json-server. Here, use ${instead}. /json-server supports json-server's parameters.`;
    return { field, message };
  });
  rejectFaults(faults);
}

function oursFor(name: string): string | undefined {
  if (Object.hasOwn(ours, name)) return ours[name];
  if (/._like$/.test(name)) return 'q, which searches all texts';
  const [, field, operator = ''] = /^(.+):(\w+)$/.exec(name) ?? [];
  if (field === undefined) return undefined;
  if (comparing.includes(operator)) return operator === 'eq' ? field : `${field}_${operator}`;
  return searching.includes(operator) ? 'q, which searches all texts' : undefined;
}
