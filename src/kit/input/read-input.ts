/** Reads and validates the parts of a request by the schemas of its endpoint. */

import { type TObject, Type } from 'typebox';
import { readJsonBody } from '#http/body/request-body.js';
import type { Fields, InputFaults } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { faultParameters } from '../describe/fault-parameters.js';
import { type AnySpec, isClosed, type Step, synonymsOf, validatedOf } from '../endpoint.js';
import { spellingValidator } from './check-spelling.js';
import { bodyValidator, textValidator, type Validate } from './validators.js';

export class InputError extends Error {
  readonly faults: InputFaults;

  constructor(faults: InputFaults) {
    super('The input is invalid.');
    this.faults = faults;
  }
}

export function inputSteps(spec: AnySpec): readonly Step[] {
  const steps: Step[] = [];
  const { body, validation } = spec;
  const absent = (body as { readonly default?: object } | undefined)?.default;
  if (body !== undefined) steps.push(parsesBody(absent, spec.beforeBodyFault));
  const checks = validation === 'own' ? [] : checksOf(spec);
  if (checks.length === 0) return steps;
  const validateParts: Step = (request) => {
    for (const { part, validate } of checks) {
      const faults = validate(request[part]);
      if (faults === undefined) continue;
      if (validation !== 'reported') throw new InputError({ part, faults });
      request.inputFaults = { part, faults };
      return;
    }
  };
  return [...steps, validateParts];
}

function parsesBody(absent: object | undefined, beforeFault: Step | undefined): Step {
  return async (request, reply) => {
    try {
      request.body = await readJsonBody(request, absent);
    } catch (error) {
      if (error instanceof HttpError && error.status === 400) await beforeFault?.(request, reply);
      throw error;
    }
  };
}

interface Check {
  readonly part: InputFaults['part'];
  readonly validate: Validate;
}

/** Returns the checks in the order of their faults; only faults of the first faulty part are reported. */
function checksOf({ params, body, query = {}, headers }: AnySpec): readonly Check[] {
  const [ofQuery, ofHeaders] = [validatedOf(query), validatedOf(headers)];
  const synonyms = synonymsOf(query);
  const checks: (Check | undefined)[] = [
    params && { part: 'params', validate: textValidator(Type.Object(params)) },
    body && { part: 'body', validate: bodyValidator(body) },
    ofQuery && {
      part: 'query',
      validate: textValidator(isClosed(query) ? closedQuery(ofQuery) : Type.Object(ofQuery)),
    },
    synonyms && {
      part: 'query',
      validate: spellingValidator({ ...query, ...faultParameters }, synonyms),
    },
    ofHeaders && { part: 'headers', validate: textValidator(Type.Object(inLowerCase(ofHeaders))) },
  ];
  return checks.filter((check) => check !== undefined);
}

/** Rejects query parameters other than these and the fault parameters. */
function closedQuery(fields: Fields): TObject {
  const accepted = { ...fields, ...faultParameters, ...fields };
  return Type.Object(accepted, { additionalProperties: false });
}

/** Lower-cases the names, as Node does with headers. */
function inLowerCase(headers: Fields): Fields {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(entries);
}
