/** Describes input faults: the expected value of each field, and the received one. */

import { cutText, joinBriefly } from '#base/text/cut-text.js';
import { didYouMean } from '#base/text/did-you-mean.js';
import { gotParameter, gotValue } from '#base/text/got-value.js';
import {
  controlCharacterFault,
  notBlankPattern,
  plainTextPattern,
} from '#base/text/text-patterns.js';
import type { FieldFault } from '#http/http-error.js';
import type { ValueFault } from '#json-schema/find-faults.js';
import { describeSchema } from './describe-schema.js';
import { maxFaults } from './validators.js';

/** `part` is a part of the request; `isOfCaller` means that a caller wrote the schema. */
export function describeFaults(
  faults: readonly object[],
  part: string | undefined,
  isOfCaller = false,
): FieldFault[] {
  const described = new Map<string, FieldFault>();
  for (const fault of faults as readonly ValueFault[]) {
    if (described.size >= maxFaults) break;
    const field = fieldOf(fault);
    const message = sentence(field, fault, { part, isOfCaller });
    if (!described.has(field)) described.set(field, { field, message });
  }
  return [...described.values()];
}

const maxFieldCharacters = 1000;

function fieldOf({ instancePath, keyword, params }: ValueFault): string {
  const path = instancePath.slice(1).split('/').filter(Boolean).map(unescapePointer);
  if (keyword === 'required') path.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty));
  return cutText(path.join('.'), maxFieldCharacters);
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

const partNames: Readonly<Record<string, string>> = {
  body: 'field',
  query: 'query parameter',
  params: 'path parameter',
  headers: 'header',
};

interface FaultContext {
  readonly part: string | undefined;
  readonly isOfCaller: boolean;
}

function sentence(
  field: string,
  fault: ValueFault,
  { part = 'body', isOfCaller }: FaultContext,
): string {
  const { keyword, message } = fault;
  const name = partNames[part] ?? 'field';
  const expected = describeSchema(fault.parentSchema ?? {}, isOfCaller);
  const control = controlFault(fault);
  const what = control ?? (expected === undefined ? message : `must be ${expected}`);
  const got = control === undefined ? gotIn(field, fault, part) : '';
  if (field === '') return `The ${part === 'body' ? 'body' : `set of ${name}s`} ${what}${got}.`;
  const subject = part === 'body' || part === 'query' ? field : `The ${name} ${field}`;
  if (keyword === 'required') return `${subject} is missing${wantedOf(fault, isOfCaller)}.`;
  if (keyword === 'additionalProperties') {
    const names = Object.keys(fault.parentSchema?.properties ?? {});
    const supported = joinBriefly(names);
    const { additionalProperty, meant } = fault.params;
    const hint =
      meant === undefined
        ? didYouMean(String(additionalProperty), names)
        : ` Did you mean ${meant}?`;
    return `Unknown ${name} ${field}.${hint}${supported === '' ? '' : ` Use ${supported}.`}`;
  }
  return `${subject} ${what}${got}.`;
}

function wantedOf({ params, parentSchema }: ValueFault, isOfCaller: boolean): string {
  const { properties = {} } = (parentSchema ?? {}) as {
    properties?: Readonly<Record<string, object>>;
  };
  const { missingProperty } = params as { readonly missingProperty: string };
  const schema = Object.hasOwn(properties, missingProperty) ? properties[missingProperty] : {};
  const wanted = describeSchema({ ...schema }, isOfCaller);
  return wanted === undefined ? '' : `; it must be ${wanted}`;
}

function gotIn(field: string, { keyword, data }: ValueFault, part: string): string {
  if (Array.isArray(data)) {
    if (keyword === 'minItems' || keyword === 'maxItems') {
      return `; got ${data.length === 1 ? '1 item' : `${data.length} items`}`;
    }
    if (keyword === 'uniqueItems') return '; got equal ones';
  }
  return part === 'body' ? gotValue(field, data) : gotParameter(field, data);
}

/** Names the forbidden character, which may be invisible. */
function controlFault({ keyword, schema, data }: ValueFault): string | undefined {
  const isOurs =
    keyword === 'pattern' && (schema === notBlankPattern || schema === plainTextPattern);
  return isOurs ? controlCharacterFault(String(data)) : undefined;
}
