/** What a response shows of its records: which fields, and which other records inside them. */

import { gotParameter } from '../../../base/text/got-value.js';
import type { FieldFault } from '../../../http/http-error.js';
import type { Resource } from '../built-in/resource.js';
import { listNames } from '../source/list-names.js';
import type { Relation } from '../source/relations.js';

export interface ResponseShape {
  /** All of them without it. */
  readonly fields: ReadonlySet<string> | undefined;
  readonly embeds: readonly Relation[];
  /** Whether CSV marks texts that spreadsheets would take for formulas. */
  readonly escapesFormulas?: boolean;
}

/** The whole record and nothing else. */
export const plainShape: ResponseShape = { fields: undefined, embeds: [] };

export const shapeParameters = ['fields', 'embed'] as const;

/** A parameter of CSV; a field of the same name goes first. */
export const formulasParameter = 'formulas';

/** Reads `fields` and `embed`, each a list of names by comma, and notes what is wrong with them. */
export function readShape(
  { relations, fieldNames }: Pick<Resource, 'relations' | 'fieldNames'>,
  { fields, embed }: { readonly fields?: string | undefined; readonly embed?: string | undefined },
  faults: FieldFault[],
): ResponseShape {
  if (fields === undefined && embed === undefined) return plainShape;
  const embeddable = embed === undefined ? [] : relations();
  const names = namesIn('fields', fields, fieldNames, faults);
  const embeds = namesIn(
    'embed',
    embed,
    embeddable.map(({ name }) => name),
    faults,
  );
  return {
    fields: names && new Set(names),
    embeds: embeddable.filter(({ name }) => embeds?.includes(name)),
  };
}

function namesIn(
  parameter: string,
  text: string | undefined,
  known: readonly string[],
  faults: FieldFault[],
): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const form =
      known.length === 0
        ? 'has nothing to name here'
        : `must be one or more of ${listNames(known)}, separated by commas`;
    const message = `${parameter} ${form}${gotParameter(parameter, unknown)}.`;
    faults.push({ field: parameter, message });
  }
  return names;
}
