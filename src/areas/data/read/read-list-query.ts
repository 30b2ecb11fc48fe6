/** What the query string of a list asks for: which records, in which order, which part of them. */

import { gotParameter } from '../../../base/text/got-value.js';
import type { FieldFault } from '../../../http/http-error.js';
import { isFaultParameter } from '../../../kit/describe/fault-parameters.js';
import type { Resource } from '../built-in/resource.js';
import { faultyFields } from '../source/faulty-fields.js';
import { listNames } from '../source/list-names.js';
import type { RecordField } from '../source/record-fields.js';
import {
  type FilterParameter,
  type ListParameters,
  maxLimit,
  maxSearchLength,
  windowParameters,
} from './list-parameters.js';
import { type Condition, matchField, type Wanted } from './match-field.js';
import { readValue, valueForm } from './read-value.js';
import {
  formulasParameter,
  plainShape,
  type ResponseShape,
  readShape,
  shapeParameters,
} from './response-shape.js';
import { comparable, searchText } from './search-text.js';
import type { SortKey } from './sort-records.js';

/** A decoded query string: repeated parameters are lists. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

export interface ListWindow {
  readonly offset: number;
  readonly limit: number | undefined;
  /** From 1, when the caller counts in pages rather than in records. */
  readonly page: number | undefined;
}

export interface ListQuery {
  readonly shape: ResponseShape;
  /** All must hold. */
  readonly conditions: readonly Condition[];
  /** The fields to sort by, the first of which decides first; none keeps the order of the list. */
  readonly order: readonly SortKey[];
  readonly window: ListWindow;
}

const everything: ListQuery = {
  shape: plainShape,
  conditions: [],
  order: [],
  window: { offset: 0, limit: undefined, page: undefined },
};

/** Offsets and pages beyond this are rejected rather than computed with. */
const maxPosition = 2 ** 31 - 1;

/** Each filter, and each `q`, is compared with every record. */
const maxConditions = 100;

/** A list is sorted by at most so many fields. */
const maxSortFields = 10;

/** A response names at most so many faulty parameters. */
const maxFaults = 20;

/** What a list takes beside its filters. */
export const listTakes: readonly string[] = [...windowParameters, 'q', ...shapeParameters];

/**
 * Reads the filters, and of search, order and window what is `taken`; other names there may be are
 * left to the caller. Throws 400 that names every faulty parameter and says what it takes.
 */
export function readListQuery(
  resource: Pick<Resource, 'parameters' | 'relations' | 'fieldNames'>,
  query: Query,
  taken: readonly string[] = listTakes,
): ListQuery {
  const { parameters } = resource;
  const names = Object.keys(query);
  if (names.length === 0) return everything;
  const faults: FieldFault[] = [];
  const windowQuery: Record<string, string> = {};
  const conditions: Condition[] = [];
  let escapesFormulas = false;

  for (const name of names) {
    if (faults.length >= maxFaults) break;
    const given = query[name] ?? '';
    const texts = typeof given === 'string' ? [given] : given;
    const filter = parameters.filters.get(name);
    if (taken.includes(name)) {
      if (name === 'q') readSearch(parameters.fields, texts, conditions, faults);
      else if (texts.length === 1) windowQuery[name] = texts[0] ?? '';
      else faults.push(parameterFault(name, 'must be given once', texts));
    } else if (filter !== undefined) {
      readFilter(name, filter, texts, conditions, faults);
    } else if (name === formulasParameter) {
      escapesFormulas = given === 'escape';
      if (!escapesFormulas) faults.push(parameterFault(name, 'must be escape', given));
    } else if (!isFaultParameter(name, query)) {
      faults.push({ field: name, message: unknownParameter(name, parameters, taken) });
    }
  }

  if (conditions.length > maxConditions) {
    const message = `A query must have at most ${maxConditions} filters; got ${conditions.length}.`;
    faults.push({ field: '', message });
  }
  const window = readWindow(windowQuery, faults);
  const order = readOrder(parameters.fields, windowQuery, faults);
  const shape = readShape(resource, windowQuery, faults);
  if (faults.length > 0) throw faultyFields(faults);
  return {
    conditions,
    order,
    window,
    shape: escapesFormulas ? { ...shape, escapesFormulas } : shape,
  };
}

/** `what` is read after the name, such as `must be true or false`; `value` is what came. */
export function parameterFault(
  name: string,
  what: string,
  value?: Query[string] | undefined,
): FieldFault {
  return { field: name, message: `${name} ${what}${gotParameter(name, value)}.` };
}

type WindowName = (typeof windowParameters)[number];

function unknownParameter(
  name: string,
  { fields }: ListParameters,
  taken: readonly string[],
): string {
  return (
    `There is no query parameter ${name} here; it supports ${taken.join(', ')}, a field ` +
    `(${listNames(fields.map((field) => field.name))}), or a field that has an order followed by ` +
    '_gte, _lte, _gt or _lt, or any field by _ne or _in.'
  );
}

function readSearch(
  fields: readonly RecordField[],
  texts: readonly string[],
  conditions: Condition[],
  faults: FieldFault[],
): void {
  for (const text of texts) {
    if (text.length > maxSearchLength) {
      faults.push(parameterFault('q', `must be at most ${maxSearchLength} characters`, text));
    } else if (text !== '') {
      const wanted = comparable(text);
      conditions.push((record) => searchText(record, fields).includes(wanted));
    }
  }
}

function readFilter(
  name: string,
  { field, operator }: FilterParameter,
  texts: readonly string[],
  conditions: Condition[],
  faults: FieldFault[],
): void {
  const parts = operator === '_in' ? texts.flatMap((text) => text.split(',')) : texts;
  const values: Wanted[] = [];
  for (const part of parts) {
    const value = readValue(field, part);
    if (value === undefined) {
      const several = operator === '_in' ? ', or several separated by commas' : '';
      faults.push(parameterFault(name, `must be ${valueForm(field)}${several}`, part));
      return;
    }
    values.push(value);
  }
  conditions.push(matchField(field, operator, values));
}

function readWindow(query: Readonly<Record<string, string>>, faults: FieldFault[]): ListWindow {
  function read(name: WindowName, minimum: number, maximum: number): number | undefined {
    const text = query[name];
    if (text === undefined) return undefined;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    if (value >= minimum && value <= maximum) return value;
    faults.push(parameterFault(name, `must be an integer from ${minimum} to ${maximum}`, text));
    return undefined;
  }
  const limit = read('limit', 1, maxLimit);
  const page = read('page', 1, maxPosition);
  const offset = read('offset', 0, maxPosition);
  if (query.page !== undefined && query.limit === undefined) {
    faults.push(parameterFault('page', `needs limit, the size of a page, from 1 to ${maxLimit}`));
  }
  if (page !== undefined) return { offset: (page - 1) * (limit ?? 0), limit, page };
  // A limit alone is the first page.
  const isFirstPage = offset === undefined && limit !== undefined;
  return { offset: offset ?? 0, limit, page: isFirstPage ? 1 : undefined };
}

function readOrder(
  fields: readonly RecordField[],
  query: Readonly<Record<string, string>>,
  faults: FieldFault[],
): readonly SortKey[] {
  const order = query.order?.toLowerCase() ?? 'asc';
  if (order !== 'asc' && order !== 'desc') {
    faults.push(parameterFault('order', 'must be asc or desc', query.order));
  }
  const sort = query.sort ?? (query.order === undefined ? undefined : 'id');
  if (sort === undefined) return [];
  const sortable = fields.filter(({ kind }) => kind !== 'texts');
  const keys: SortKey[] = [];
  for (const part of sort.split(',')) {
    const word = part.trim();
    const isDescending = word.startsWith('-');
    const name = isDescending ? word.slice(1) : word;
    const field = sortable.find((each) => each.name === name);
    if (field === undefined) {
      const names = listNames(sortable.map((each) => each.name));
      const form = `must be fields separated by commas, each with a - before it for descending order: ${names}`;
      faults.push(parameterFault('sort', form, word));
      return [];
    }
    // Only the first mention of a field can decide anything.
    if (keys.some((key) => key.field === field)) continue;
    keys.push({ field, sign: isDescending || order === 'desc' ? -1 : 1 });
    if (keys.length > maxSortFields) {
      faults.push(parameterFault('sort', `must have at most ${maxSortFields} fields`));
      return [];
    }
  }
  return keys;
}
