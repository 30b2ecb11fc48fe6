/** Query parameters of json-server that mean something else here, or nothing: each names ours. */

import type { FieldFault } from '../../../http/http-error.js';
import { isFaultParameter } from '../../../kit/describe/fault-parameters.js';
import { faultyFields, type Query } from '../source/faults.js';

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

const operators: Readonly<Record<string, string>> = {
  eq: '',
  ne: '_ne',
  lt: '_lt',
  lte: '_lte',
  gt: '_gt',
  gte: '_gte',
  in: '_in',
};

const searching = ['contains', 'startsWith', 'endsWith'];

/** Throws 400 for those that the collection has no field of. */
export function rejectJsonServerParameters(
  query: Query,
  isKnown: (name: string) => boolean = () => false,
): void {
  const faults: FieldFault[] = [];
  for (const name of Object.keys(query)) {
    if (isKnown(name) || isFaultParameter(name, query)) continue;
    const instead = oursFor(name);
    if (instead === undefined) continue;
    const message = `${name} is json-server's; here it is ${instead}.`;
    faults.push({ field: name, message });
  }
  if (faults.length > 0) throw faultyFields(faults);
}

function oursFor(name: string): string | undefined {
  if (Object.hasOwn(ours, name)) return ours[name];
  if (name.endsWith('_like')) return 'q, which searches all texts';
  const [, field, operator = ''] = /^(.+):(\w+)$/.exec(name) ?? [];
  if (field === undefined) return undefined;
  if (Object.hasOwn(operators, operator)) return `${field}${operators[operator]}`;
  return searching.includes(operator) ? 'q, which searches all texts' : undefined;
}
