/** Reads and validates the parts of a request by the schemas of its endpoint. */

import type { InputFaults, Request } from '../../http/exchange.js';
import { parseJsonBody, readWholeBody } from '../../http/request-body.js';
import type { Endpoint, EndpointSchema, Step } from '../endpoint.js';
import { bodyValidator, textValidator, type Validate } from './validators.js';

/** Thrown for input that a schema rejects. */
export class InputError extends Error {
  readonly faults: InputFaults;

  constructor(faults: InputFaults) {
    super('The input is invalid.');
    this.faults = faults;
  }
}

/** Returns the steps that read the input of an endpoint: none where no schema says anything of it. */
export function inputSteps({ schema, ...endpoint }: Endpoint): readonly Step[] {
  const steps: Step[] = [];
  const { body } = schema as EndpointSchema & { readonly body?: { readonly default?: object } };
  if (body !== undefined) steps.push((request) => parseBody(request, body.default));
  const checks = endpoint.readsItself ? [] : checksOf(schema);
  if (checks.length === 0) return steps;
  const { reportsFaultsItself = false } = endpoint;
  return [...steps, (request) => validate(request, checks, reportsFaultsItself)];
}

async function parseBody(request: Request, absent: object | undefined): Promise<void> {
  request.body = parseJsonBody(request, await readWholeBody(request), absent);
}

interface Check {
  readonly part: InputFaults['part'];
  readonly partOf: (request: Request) => unknown;
  readonly validate: Validate;
}

/** In the order in which faults are reported: those of the first faulty part. */
function checksOf({ params, body, querystring, headers }: EndpointSchema): readonly Check[] {
  const checks: (Check | undefined)[] = [
    params && {
      part: 'params',
      partOf: (request) => request.params,
      validate: textValidator(params),
    },
    body && { part: 'body', partOf: (request) => request.body, validate: bodyValidator(body) },
    querystring && {
      part: 'querystring',
      partOf: (request) => request.query,
      validate: textValidator(querystring),
    },
    headers && {
      part: 'headers',
      partOf: (request) => request.headers,
      validate: textValidator(inLowerCase(headers)),
    },
  ];
  return checks.filter((check) => check !== undefined);
}

function validate(request: Request, checks: readonly Check[], isReportedLater: boolean): void {
  for (const { part, partOf, validate } of checks) {
    const faults = validate(partOf(request));
    if (faults === undefined) continue;
    if (!isReportedLater) throw new InputError({ part, faults });
    request.inputFaults = { part, faults };
    return;
  }
}

/** Node has the names of headers in lower case. */
function inLowerCase(schema: object): object {
  const {
    properties = {},
    required,
    ...rest
  } = schema as {
    readonly properties?: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
  const entries = Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...rest,
    properties: Object.fromEntries(entries),
    ...(required && { required: required.map((name) => name.toLowerCase()) }),
  };
}
