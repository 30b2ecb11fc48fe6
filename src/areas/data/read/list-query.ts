/** Parses the query string of a list: filters, order, page, and fields. */

import { cutText } from '#base/text/cut-text.js';
import type { FieldFault } from '#http/http-error.js';
import { isFaultParameter } from '#kit/describe/fault-parameters.js';
import type { ResponseShape } from '../formats/format.js';
import { parameterFault, type Query, rejectFaults, suggestionFor } from '../source/faults.js';
import type { Filter, RecordField } from '../source/fields.js';
import type { Relation, Source } from '../source/source.js';
import { matchAny } from './match-any.js';
import { type Condition, matchField, matchSearch } from './match-field.js';
import { readValue, valueForm, type Wanted } from './read-value.js';

export interface ListWindow {
  readonly offset: number;
  readonly limit: number | undefined;
  /** From 1, if the caller uses pages instead of an offset. */
  readonly page: number | undefined;
}

/** A field to sort by: ascending, or descending with -1. */
export interface SortKey {
  readonly field: RecordField;
  readonly sign: 1 | -1;
}

export interface ListQuery {
  readonly shape: ResponseShape;
  readonly conditions: readonly Condition[];
  /** The first key has priority; without keys, the list keeps its order. */
  readonly order: readonly SortKey[];
  readonly window: ListWindow;
}

export const maxLimit = 100;
export const maxSearchLength = 200;

/** Larger offsets and pages are rejected. */
const maxPosition = 2 ** 31 - 1;

/** Each filter, and each `q`, is compared with every record. */
const maxConditions = 100;

const maxSortFields = 10;

/** Each reads a complete collection. */
const maxEmbeds = 20;

const maxFaults = 20;

export const shapeParameters = ['fields', 'embed'] as const;

export const listParameters: readonly string[] = [
  ...['limit', 'page', 'offset', 'sort', 'order', 'q'],
  ...shapeParameters,
];

type ListedSource = Pick<
  Source,
  'fields' | 'fieldNames' | 'findRelation' | 'relationNames' | 'idName'
>;

/** Parses the filters, and the other parameters in `accepted`. Throws 400 with each invalid parameter. */
export function readListQuery(
  source: ListedSource,
  query: Query,
  accepted: readonly string[] = listParameters,
): ListQuery {
  const reader = new QueryReader(source, query, accepted);
  for (const name of Object.keys(query)) {
    if (reader.faults.length >= maxFaults) break;
    reader.read(name);
  }
  return reader.finish();
}

class QueryReader {
  readonly faults: FieldFault[] = [];
  readonly #source: ListedSource;
  readonly #query: Query;
  readonly #accepted: readonly string[];
  readonly #conditions: Condition[] = [];
  readonly #given: Record<string, string> = {};
  #escapesFormulas = false;

  constructor(source: ListedSource, query: Query, accepted: readonly string[]) {
    this.#source = source;
    this.#query = query;
    this.#accepted = accepted;
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
    // A parameter of CSV. A field with the same name has priority.
    else if (name === 'formulas') {
      this.#escapesFormulas = value === 'escape';
      if (!this.#escapesFormulas) this.#fault(name, 'must be escape', value);
    } else if (!isFaultParameter(name, this.#query)) {
      const open = this.#source.fields.openFilter(name);
      if (open !== undefined) this.#filter(name, open, texts);
      else this.faults.push({ field: name, message: this.#unknown(name) });
    }
  }

  finish(): ListQuery {
    const { length } = this.#conditions;
    if (length > maxConditions) {
      const message = `A query must have at most ${maxConditions} filters; got ${length}.`;
      this.faults.push({ field: '', message });
    }
    const window = this.#window();
    const order = this.#order();
    const shape = this.#shape();
    rejectFaults(this.faults);
    return { conditions: this.#conditions, order, window, shape };
  }

  #fault(name: string, what: string, value?: Query[string]): void {
    this.faults.push(parameterFault(name, what, value));
  }

  #unknown(name: string): string {
    const known = [...this.#accepted, ...this.#source.fields.names];
    return (
      `Unknown query parameter ${name}.${suggestionFor(name, known, this.faults.length)} Use ${this.#accepted.join(', ')}, a field ` +
      `(${listNames(this.#source.fields.names)}), an ordered field with ` +
      '_gte, _lte, _gt or _lt, or any field with _ne or _in.'
    );
  }

  #search(texts: readonly string[]): void {
    for (const text of texts) {
      if (text.length > maxSearchLength) {
        this.#fault('q', `must be at most ${maxSearchLength} characters`, text);
      } else if (text !== '') {
        this.#conditions.push(matchSearch(text, this.#source.fields.searched));
      }
    }
  }

  #filter(name: string, { field, operator }: Filter, texts: readonly string[]): void {
    const parts = operator === '_in' ? texts.flatMap((text) => text.split(',')) : texts;
    if (field.kind === 'any') {
      this.#conditions.push(matchAny(field, operator, parts));
      return;
    }
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
    // Only limit returns the first page.
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
    const { order: direction } = this.#given;
    const { sort = direction === undefined ? undefined : this.#source.idName } = this.#given;
    const order = direction?.toLowerCase() ?? 'asc';
    if (order !== 'asc' && order !== 'desc') this.#fault('order', 'must be asc or desc', direction);
    if (sort === undefined) return [];
    // Only the first occurrence of a field affects the order.
    const keys = new Map<string, SortKey>();
    for (const word of namesIn(sort)) {
      const isDescending = word.startsWith('-');
      const name = isDescending ? word.slice(1) : word;
      const field = this.#source.fields.sortable(name);
      if (field === undefined) {
        const { fields } = this.#source;
        const names = listNames(fields.names.filter((each) => fields.sortable(each)));
        const form = `must be fields separated by commas, each with a - before it for descending order: ${names}`;
        this.#fault('sort', form, word);
        return [];
      }
      const sign = isDescending || order === 'desc' ? -1 : 1;
      if (!keys.has(name)) keys.set(name, { field, sign });
      if (keys.size > maxSortFields) {
        this.#fault('sort', `must have at most ${maxSortFields} fields`);
        return [];
      }
    }
    return [...keys.values()];
  }

  #shape(): ResponseShape {
    const { fieldNames } = this.#source;
    const fields = this.#names('fields');
    const unknown =
      fieldNames === 'any' ? undefined : fields?.find((name) => !fieldNames.includes(name));
    if (unknown !== undefined && fieldNames !== 'any') {
      this.#faultyName('fields', fieldNames, unknown);
    }
    return {
      fields: fields && new Set(fields),
      embeds: this.#embeds(),
      escapesFormulas: this.#escapesFormulas,
    };
  }

  #embeds(): readonly Relation[] {
    const names = [...new Set(this.#names('embed'))];
    if (names.length > maxEmbeds) {
      this.#fault('embed', `must have at most ${maxEmbeds} names`);
      return [];
    }
    return names.flatMap((name) => {
      const relation = this.#source.findRelation(name);
      if (relation !== undefined) return relation;
      this.#faultyName('embed', this.#source.relationNames(), name);
      return [];
    });
  }

  #names(parameter: string): readonly string[] | undefined {
    const text = this.#given[parameter];
    return text === undefined ? undefined : namesIn(text);
  }

  #faultyName(parameter: string, known: readonly string[], unknown: string): void {
    const form = `must be one or more of ${listNames(known)}, separated by commas`;
    this.#fault(parameter, known.length === 0 ? 'has no valid names here' : form, unknown);
  }
}

export function namesIn(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

const maxNames = 100;
const maxNameLength = 100;

/** Joins names with commas; of many names only the first, and the number of the others. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => cutText(name, maxNameLength));
  const more = names.length - shown.length;
  return shown.join(', ') + (more === 0 ? '' : ` and ${more} more`);
}
