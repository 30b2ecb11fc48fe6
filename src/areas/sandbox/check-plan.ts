/** Checks a fault plan beyond its schema. Each error names its exact place. */

import { METHODS } from 'node:http';
import { gotValue } from '#base/text/got-value.js';
import {
  type Delay,
  type Fault,
  type GivenPlan,
  isUnprocessed,
  kindOf,
  kindsOf,
  lossyKinds,
  type Match,
} from '#faults/plan/fault-plan.js';
import { pathFault } from '#faults/plan/match-rule.js';
import { failureHeaderFaults } from '#faults/wire/failure-response.js';
import type { DeniedHeaders } from '#http/denied-headers.js';
import { headerPairs, headerValueFault } from '#http/headers/settable-headers.js';
import type { FieldFault } from '#http/http-error.js';

type Faults = Generator<FieldFault>;

/** For the body of one simulated response. */
const maxFaultBodyBytes = 64 * 1024;

const ruleName = /^[\w.-]+$/;
const headerToken = /^[!#$%&'*+.^`|~\w-]{1,100}$/;

/** Returns an empty array for a valid plan. */
export function checkPlan({ rules }: GivenPlan, denied: DeniedHeaders): readonly FieldFault[] {
  return [...faultsOf(rules, denied)];
}

function* faultsOf(rules: GivenPlan['rules'], denied: DeniedHeaders): Faults {
  const places = new Map<string, number>();
  for (const [index, { name, match = {}, sequence }] of rules.entries()) {
    const field = `rules.${index}`;
    const known = name ?? `rule-${index + 1}`;
    if (!ruleName.test(known)) {
      const got = gotValue(`${field}.name`, known);
      yield wrong(`${field}.name`, `must be letters, digits, dots, underscores and hyphens${got}`);
    }
    const earlier = places.get(known);
    if (earlier !== undefined) {
      const got = `got ${known}, which is also the name of rule ${earlier + 1}`;
      yield wrong(`${field}.name`, `must be unique; ${got}`);
    }
    places.set(known, index);
    yield* checkMatch(match, `${field}.match`);
    for (const [place, fault] of sequence.entries()) {
      yield* checkFault(fault, `${field}.sequence.${place}`, denied);
    }
  }
}

function wrong(field: string, what: string): FieldFault {
  return { field, message: `${field} ${what}.` };
}

function* checkMatch({ method, path, header = {} }: Match, field: string): Faults {
  if (method?.startsWith('/')) {
    const fault = path === undefined ? pathFault(method) : 'A method of gRPC needs no path.';
    if (fault !== undefined) yield { field: `${field}.method`, message: fault };
  } else if (method !== undefined && !METHODS.includes(method.toUpperCase())) {
    const got = gotValue('method', method);
    yield wrong(`${field}.method`, `must be an HTTP method, such as GET${got}`);
  }
  const message = path === undefined ? undefined : pathFault(path);
  if (message !== undefined) yield { field: `${field}.path`, message };
  for (const name of Object.keys(header)) {
    if (headerToken.test(name)) continue;
    yield wrong(`${field}.header.${name.slice(0, 100)}`, 'must be the name of a header');
  }
}

function* checkFault(fault: Fault, field: string, denied: DeniedHeaders): Faults {
  const { probability, fault: chanced, delayMs, ...others } = fault;
  if (probability === undefined && chanced === undefined) {
    yield* checkPlainFault(fault, field, denied);
    return;
  }
  for (const name of Object.keys(others)) {
    yield wrong(`${field}.${name}`, 'must not be beside probability; move it into fault');
  }
  if (probability === undefined) {
    yield wrong(`${field}.probability`, 'is missing; a fault inside a fault needs one');
  }
  if (chanced === undefined)
    yield wrong(`${field}.fault`, 'is missing; add the fault to simulate with that probability');
  else yield* checkPlainFault(chanced, `${field}.fault`, denied);
  yield* checkDelay(delayMs, `${field}.delayMs`);
}

const partsOfStatus = ['body', 'bodyBase64', 'retryAfter', 'shape'] as const;

function* checkPlainFault(fault: Fault, field: string, denied: DeniedHeaders): Faults {
  yield* checkDelay(fault.delayMs, `${field}.delayMs`);
  const [first, ...others] = kindsOf(fault);
  for (const kind of others) {
    const message = `must not be beside ${first}; a fault has one effect, and optionally a delay`;
    yield wrong(`${field}.${kind}`, message);
  }
  if (fault.status === undefined) {
    for (const part of partsOfStatus) {
      if (fault[part] === undefined) continue;
      yield wrong(`${field}.${part}`, 'needs a status, which is missing');
    }
    if (fault.headerEncoding !== undefined && fault.headers === undefined) {
      yield wrong(`${field}.headerEncoding`, 'needs headers, which are missing');
    }
    yield* failureHeaderFaults(fault, `${field}.headers`, denied);
  } else yield* checkResponse(fault, field, denied);
  if (fault.hint !== undefined && fault.idle === undefined) {
    yield wrong(`${field}.hint`, 'needs idle, which is missing');
  }
  if (fault.after !== undefined) {
    const message = afterFault(fault);
    if (message !== undefined) yield wrong(`${field}.after`, message);
  }
  if (fault.contentType !== undefined) {
    const message = headerValueFault('Content-Type', fault.contentType);
    if (message !== undefined) yield { field: `${field}.contentType`, message };
  }
}

function afterFault(fault: Fault): string | undefined {
  if (isUnprocessed(fault))
    return `must not be combined with ${kindOf(fault)}, which means that no work was done`;
  if (lossyKinds.some((kind) => fault[kind] !== undefined)) return undefined;
  return `needs one of ${lossyKinds.join(', ')}; all others act after the work anyway`;
}

function* checkResponse(fault: Fault, field: string, denied: DeniedHeaders): Faults {
  const { headers = {}, retryAfter } = fault;
  yield* failureHeaderFaults(fault, `${field}.headers`, denied);
  const names = headerPairs(headers).map(([name]) => name.toLowerCase());
  if (retryAfter !== undefined && names.includes('retry-after')) {
    yield wrong(`${field}.retryAfter`, 'must be given only once; it is also among the headers');
  }
  yield* checkBody(fault, field);
}

function* checkBody({ body, bodyBase64, shape }: Fault, field: string): Faults {
  if (body !== undefined && bodyBase64 !== undefined) {
    yield wrong(`${field}.bodyBase64`, 'must not be beside body; send only one of them');
  }
  if (shape !== undefined && (body ?? bodyBase64) !== undefined) {
    const name = body === undefined ? 'bodyBase64' : 'body';
    yield wrong(`${field}.${name}`, 'must not be beside shape, which sets the body');
  }
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(bodyBase64 ?? '', 'base64');
  if (bytes > maxFaultBodyBytes) {
    yield wrong(
      `${field}.${bodyBase64 === undefined ? 'body' : 'bodyBase64'}`,
      `must be at most ${maxFaultBodyBytes} bytes; got ${bytes}`,
    );
  }
}

function* checkDelay(delay: Delay | undefined, field: string): Faults {
  if (typeof delay !== 'object') return;
  const names = Object.keys(delay).sort().join();
  if (names === 'max,min') {
    const { min, max } = delay as { min: number; max: number };
    if (min > max) yield wrong(`${field}.max`, `must be at least min, which is ${min}; got ${max}`);
  } else if (names === 'median,p99') {
    const { median, p99 } = delay as { median: number; p99: number };
    if (median === 0) yield wrong(`${field}.median`, 'must be more than 0; got 0');
    else if (p99 < median) {
      yield wrong(`${field}.p99`, `must be at least the median, which is ${median}; got ${p99}`);
    }
  } else yield wrong(field, 'must be a number, min and max, or median and p99');
}
