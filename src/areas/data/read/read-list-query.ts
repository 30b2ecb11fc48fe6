/** Reads the query string of a list: which records, in which order, which part of them, and what of each. */

import type { FieldFault } from '../../../http/http-error.js';
import { isFaultParameter } from '../../../kit/describe/fault-parameters.js';
import { plainShape, type ResponseShape } from '../formats/format.js';
import { faultyFields, listNames, parameterFault, type Query } from '../source/faults.js';
import type { Filter, RecordField, Source } from '../source/source.js';
import { type Condition, matchField, type Wanted } from './match-field.js';
import { readValue, valueForm } from './read-value.js';
import { comparable, searchText } from './search-text.js';
import type { SortKey } from './sort-records.js';

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

export const maxLimit = 100;
export const maxSearchLength = 200;

/** Offsets and pages beyond this are rejected rather than computed with. */
const maxPosition = 2 ** 31 - 1;

/** Each filter, and each `q`, is compared with every record. */
const maxConditions = 100;

/** A list is sorted by at most so many fields. */
const maxSortFields = 10;

/** A response names at most so many faulty parameters. */
const maxFaults = 20;

const windowParameters = ['limit', 'page', 'offset', 'sort', 'order'] as const;
export const shapeParameters = ['fields', 'embed'] as const;

/** The parameters of a list beside its filters. */
export const listParameters: readonly string[] = [...windowParameters, 'q', ...shapeParameters];

type ListedSource = Pick<Source, 'fields' | 'relations' | 'fieldNames'>;

/**
 * Reads the filters, and of search, order and window what is `accepted`; other names there may be are
 * left to the caller. Throws 400 that names every faulty parameter and says what it accepts.
 */
export function readListQuery(
  source: ListedSource,
  query: Query,
  accepted: readonly string[] = listParameters,
): ListQuery {
  const names = Object.keys(query);
  if (names.length === 0) return everything;
  const reader = new QueryReader(source, query, accepted);
  for (const name of names) {
    if (reader.faults.length >= maxFaults) break;
    reader.read(name);
  }
  return reader.finish();
}

/** Reads one query, and collects what is wrong with it. */
class QueryReader {
  readonly faults: FieldFault[] = [];
  readonly #source: ListedSource;
  readonly #query: Query;
  readonly #accepted: readonly string[];
  readonly #fields: readonly RecordField[];
  readonly #conditions: Condition[] = [];
  /** Parameters that are given once at most. */
  readonly #given: Record<string, string> = {};
  #escapesFormulas = false;

  constructor(source: ListedSource, query: Query, accepted: readonly string[]) {
    this.#source = source;
    this.#query = query;
    this.#accepted = accepted;
    this.#fields = source.fields.all;
  }

  read(name: string): void {
    const value = this.#query[name] ?? '';
    const texts = typeof value === 'string' ? [value] : value;
    if (this.#accepted.includes(name)) {
      if (name === 'q') this.#search(texts);
      else if (texts.length === 1) this.#given[name] = texts[0] ?? '';
      else this.#fault(name, 'must be given once', texts);
      return;
    }
    const filter = this.#source.fields.filter(name);
    if (filter !== undefined) this.#filter(name, filter, texts);
    // A parameter of CSV; a field of the same name goes first.
    else if (name === 'formulas') {
      this.#escapesFormulas = value === 'escape';
      if (!this.#escapesFormulas) this.#fault(name, 'must be escape', value);
    } else if (!isFaultParameter(name, this.#query)) {
      this.faults.push({ field: name, message: this.#unknown(name) });
    }
  }

  /** Throws 400 with all faults. */
  finish(): ListQuery {
    const { length } = this.#conditions;
    if (length > maxConditions) {
      const message = `A query must have at most ${maxConditions} filters; got ${length}.`;
      this.faults.push({ field: '', message });
    }
    const window = this.#window();
    const order = this.#order();
    const shape = this.#shape();
    if (this.faults.length > 0) throw faultyFields(this.faults);
    return { conditions: this.#conditions, order, window, shape };
  }

  #fault(name: string, what: string, value?: Query[string]): void {
    this.faults.push(parameterFault(name, what, value));
  }

  #unknown(name: string): string {
    return (
      `There is no query parameter ${name} here; it supports ${this.#accepted.join(', ')}, a field ` +
      `(${listNames(this.#fields.map((field) => field.name))}), or a field that has an order followed by ` +
      '_gte, _lte, _gt or _lt, or any field by _ne or _in.'
    );
  }

  #search(texts: readonly string[]): void {
    for (const text of texts) {
      if (text.length > maxSearchLength) {
        this.#fault('q', `must be at most ${maxSearchLength} characters`, text);
      } else if (text !== '') {
        const wanted = comparable(text);
        this.#conditions.push((record) => searchText(record, this.#fields).includes(wanted));
      }
    }
  }

  #filter(name: string, { field, operator }: Filter, texts: readonly string[]): void {
    const parts = operator === '_in' ? texts.flatMap((text) => text.split(',')) : texts;
    const values: Wanted[] = [];
    for (const part of parts) {
      const value = readValue(field, part);
      if (value === undefined) {
        const several = operator === '_in' ? ', or several separated by commas' : '';
        this.#fault(name, `must be ${valueForm(field)}${several}`, part);
        return;
      }
      values.push(value);
    }
    this.#conditions.push(matchField(field, operator, values));
  }

  #window(): ListWindow {
    const limit = this.#number('limit', 1, maxLimit);
    const page = this.#number('page', 1, maxPosition);
    const offset = this.#number('offset', 0, maxPosition);
    if (this.#given.page !== undefined && this.#given.limit === undefined) {
      this.#fault('page', `needs limit, the size of a page, from 1 to ${maxLimit}`);
    }
    if (page !== undefined) return { offset: (page - 1) * (limit ?? 0), limit, page };
    // A limit alone is the first page.
    const isFirstPage = offset === undefined && limit !== undefined;
    return { offset: offset ?? 0, limit, page: isFirstPage ? 1 : undefined };
  }

  #number(name: string, minimum: number, maximum: number): number | undefined {
    const text = this.#given[name];
    if (text === undefined) return undefined;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    if (value >= minimum && value <= maximum) return value;
    this.#fault(name, `must be an integer from ${minimum} to ${maximum}`, text);
    return undefined;
  }

  #order(): readonly SortKey[] {
    const { order: direction, sort = direction === undefined ? undefined : 'id' } = this.#given;
    const order = direction?.toLowerCase() ?? 'asc';
    if (order !== 'asc' && order !== 'desc') this.#fault('order', 'must be asc or desc', direction);
    if (sort === undefined) return [];
    const sortable = this.#fields.filter(({ kind }) => kind !== 'texts');
    const keys: SortKey[] = [];
    for (const part of sort.split(',')) {
      const word = part.trim();
      const isDescending = word.startsWith('-');
      const name = isDescending ? word.slice(1) : word;
      const field = sortable.find((each) => each.name === name);
      if (field === undefined) {
        const names = listNames(sortable.map((each) => each.name));
        const form = `must be fields separated by commas, each with a - before it for descending order: ${names}`;
        this.#fault('sort', form, word);
        return [];
      }
      // Only the first mention of a field can decide anything.
      if (keys.some((key) => key.field === field)) continue;
      keys.push({ field, sign: isDescending || order === 'desc' ? -1 : 1 });
      if (keys.length > maxSortFields) {
        this.#fault('sort', `must have at most ${maxSortFields} fields`);
        return [];
      }
    }
    return keys;
  }

  #shape(): ResponseShape {
    const { fields, embed } = this.#given;
    const escapes = this.#escapesFormulas && { escapesFormulas: true };
    if (fields === undefined && embed === undefined) {
      return escapes ? { ...plainShape, ...escapes } : plainShape;
    }
    const relations = embed === undefined ? [] : this.#source.relations();
    const chosen = this.#names('fields', this.#source.fieldNames);
    const embedded = this.#names(
      'embed',
      relations.map(({ name }) => name),
    );
    return {
      fields: chosen && new Set(chosen),
      embeds: relations.filter(({ name }) => embedded?.includes(name)),
      ...escapes,
    };
  }

  /** Reads names that are separated by commas. */
  #names(parameter: string, known: readonly string[]): readonly string[] | undefined {
    const names = this.#given[parameter]?.split(',').map((name) => name.trim());
    const unknown = names?.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const form =
        known.length === 0
          ? 'has nothing to name here'
          : `must be one or more of ${listNames(known)}, separated by commas`;
      this.#fault(parameter, form, unknown);
    }
    return names;
  }
}
