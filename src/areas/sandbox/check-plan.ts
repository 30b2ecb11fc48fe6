/** What may not be in a fault plan, beyond what its schema says: each fault is named where it is. */

import { METHODS } from 'node:http';
import { gotValue } from '../../base/text/got-value.js';
import {
  type Delay,
  type Fault,
  faultKinds,
  type GivenPlan,
  type Match,
} from '../../faults/plan/fault-plan.js';
import { pathFault } from '../../faults/plan/match-rule.js';
import { checkSettableHeaders, headerPairs } from '../../http/headers/settable-headers.js';
import type { FieldFault } from '../../http/http-error.js';

/** Of the response of one fault. */
export const maxFaultBodyBytes = 64 * 1024;

const ruleName = /^[\w.-]+$/;
const headerToken = /^[!#$%&'*+.^`|~\w-]{1,100}$/;

/** Empty when the plan is in order. */
export function checkPlan({ rules }: GivenPlan): FieldFault[] {
  const faults: FieldFault[] = [];
  const places = new Map<string, number>();
  for (const [index, { name, match = {}, sequence }] of rules.entries()) {
    const field = `rules.${index}`;
    const known = name ?? `rule-${index + 1}`;
    if (!ruleName.test(known)) {
      const got = gotValue(`${field}.name`, known);
      const message = `must be letters, digits, dots, underscores and hyphens${got}`;
      faults.push(fieldFault(`${field}.name`, message));
    }
    const earlier = places.get(known);
    if (earlier !== undefined) {
      faults.push(
        fieldFault(
          `${field}.name`,
          `must be unique; got ${known}, the name of rule ${earlier + 1} as well`,
        ),
      );
    }
    places.set(known, index);
    faults.push(...checkMatch(match, `${field}.match`));
    for (const [place, fault] of sequence.entries()) {
      faults.push(...checkFault(fault, `${field}.sequence.${place}`));
    }
  }
  return faults;
}

function fieldFault(field: string, what: string): FieldFault {
  return { field, message: `${field} ${what}.` };
}

function checkMatch({ method, path, header = {} }: Match, field: string): FieldFault[] {
  const faults: FieldFault[] = [];
  if (method !== undefined && !METHODS.includes(method.toUpperCase())) {
    faults.push(
      fieldFault(
        `${field}.method`,
        `must be a method of HTTP, such as GET${gotValue('method', method)}`,
      ),
    );
  }
  const fault = path === undefined ? undefined : pathFault(path);
  if (fault !== undefined) faults.push({ field: `${field}.path`, message: fault });
  for (const name of Object.keys(header)) {
    if (headerToken.test(name)) continue;
    faults.push(
      fieldFault(`${field}.header.${name.slice(0, 100)}`, 'must be the name of a header'),
    );
  }
  return faults;
}

function checkFault(fault: Fault, field: string): FieldFault[] {
  if (fault.probability === undefined && fault.fault === undefined) {
    return checkPlainFault(fault, field);
  }
  const { probability, fault: chanced, delayMs, ...others } = fault;
  const faults = Object.keys(others).map((name) =>
    fieldFault(`${field}.${name}`, 'must not be beside probability; put it into fault'),
  );
  if (probability === undefined) {
    faults.push(fieldFault(`${field}.probability`, 'is missing; a fault inside a fault has one'));
  }
  if (chanced === undefined) {
    faults.push(fieldFault(`${field}.fault`, 'is missing; it says what is probable'));
  } else {
    faults.push(...checkPlainFault(chanced, `${field}.fault`));
  }
  return [...faults, ...checkDelay(delayMs, field)];
}

const partsOfStatus = ['headers', 'body', 'retryAfter', 'shape'] as const;
const lossy = ['status', 'hang', 'empty', 'reset'] as const;

function checkPlainFault(fault: Fault, field: string): FieldFault[] {
  const faults = checkDelay(fault.delayMs, field);
  const [first, ...others] = faultKinds.filter((kind) => fault[kind] !== undefined);
  for (const kind of others) {
    const message = `must not be beside ${first}; a fault does one thing, and may have a delay beside it`;
    faults.push(fieldFault(`${field}.${kind}`, message));
  }
  if (fault.status === undefined) {
    for (const part of partsOfStatus) {
      if (fault[part] === undefined) continue;
      faults.push(fieldFault(`${field}.${part}`, 'needs a status, which is missing'));
    }
  } else {
    faults.push(...checkResponse(fault, field));
  }
  if (fault.after !== undefined && !lossy.some((kind) => fault[kind] !== undefined)) {
    const message = `needs one of ${lossy.join(', ')}; all others act after the work in any case`;
    faults.push(fieldFault(`${field}.after`, message));
  }
  if (fault.contentType !== undefined) {
    const given = { 'content-type': fault.contentType };
    const found = checkSettableHeaders(given, field);
    faults.push(...found.map(({ message }) => ({ field: `${field}.contentType`, message })));
  }
  return faults;
}

function checkResponse({ headers, body, retryAfter, shape }: Fault, field: string): FieldFault[] {
  const faults = headers === undefined ? [] : checkSettableHeaders(headers, `${field}.headers`);
  const names = headerPairs(headers ?? {}).map(([name]) => name.toLowerCase());
  if (retryAfter !== undefined && names.includes('retry-after')) {
    faults.push(
      fieldFault(`${field}.retryAfter`, 'must be given once; it is among the headers as well'),
    );
  }
  if (shape !== undefined && body !== undefined) {
    faults.push(fieldFault(`${field}.body`, 'must not be beside shape, which makes the body'));
  }
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  if (Buffer.byteLength(text) > maxFaultBodyBytes) {
    faults.push(
      fieldFault(
        `${field}.body`,
        `must be at most ${maxFaultBodyBytes} bytes; got ${Buffer.byteLength(text)}`,
      ),
    );
  }
  return faults;
}

function checkDelay(delay: Delay | undefined, field: string): FieldFault[] {
  if (typeof delay !== 'object') return [];
  const { min, max, median, p99 } = delay as Partial<
    Record<'min' | 'max' | 'median' | 'p99', number>
  >;
  const where = `${field}.delayMs`;
  if (min !== undefined && max !== undefined && median === undefined && p99 === undefined) {
    return min <= max
      ? []
      : [fieldFault(`${where}.max`, `must be at least min, which is ${min}; got ${max}`)];
  }
  if (median !== undefined && p99 !== undefined && min === undefined && max === undefined) {
    if (median === 0) return [fieldFault(`${where}.median`, 'must be more than 0; got 0')];
    if (p99 >= median) return [];
    return [
      fieldFault(`${where}.p99`, `must be at least the median, which is ${median}; got ${p99}`),
    ];
  }
  return [fieldFault(where, 'must be a number, min and max, or median and p99')];
}
