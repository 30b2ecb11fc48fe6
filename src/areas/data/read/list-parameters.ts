/** The query parameters that the list of a resource supports, by name, made from its fields. */

import type { RecordField } from '../source/record-fields.js';
import { isTaken, type Operator, operators } from './match-field.js';

/** A field and how it is compared, as one parameter asks for. */
export interface FilterParameter {
  readonly field: RecordField;
  readonly operator: Operator;
}

export interface ListParameters {
  readonly fields: readonly RecordField[];
  readonly filters: ReadonlyMap<string, FilterParameter>;
}

export const maxLimit = 100;
export const maxSearchLength = 200;

/** What says which part of the list is wanted, and in which order. */
export const windowParameters = ['limit', 'page', 'offset', 'sort', 'order'] as const;

export function listParameters(fields: readonly RecordField[]): ListParameters {
  const filters = new Map<string, FilterParameter>();
  for (const field of fields) {
    for (const operator of operators) {
      if (isTaken(field.kind, operator)) filters.set(field.name + operator, { field, operator });
    }
  }
  return { fields, filters };
}
