/** Sends errors as problem details (RFC 9457) or in the form of JSON:API, to clients that accept those. */

import type { Request } from '#http/exchange.js';
import {
  type ErrorBody,
  errorBody,
  type FieldFault,
  type ShapedFailure,
} from '#http/http-error.js';
import { readPreferences, weightOf } from '#http/negotiation/read-preferences.js';
import type { Failure } from '#kit/area.js';
import { jsonApiType } from '../formats/json-api.js';

export const problemType = 'application/problem+json';

/** The path of the guide's page that explains each problem type. */
const guide = '/guides/resources/problems';

/** Returns the common shape if Accept has JSON with the same weight. */
export function shapeError(
  request: Request,
  { status, message, ...extra }: Failure,
): ShapedFailure | undefined {
  const error = errorBody(status, message, extra);
  const preferences = readPreferences(request.headers.accept);
  // A wildcard does not request these types.
  const problem = preferences.get(problemType) ?? 0;
  const jsonApi = preferences.get(jsonApiType) ?? 0;
  const json = weightOf(preferences, 'application/json');
  if (problem > json && problem > jsonApi) {
    const body = JSON.stringify(problemOf(request, error));
    return { contentType: problemType, body };
  }
  if (jsonApi > json)
    return { contentType: jsonApiType, body: JSON.stringify(jsonApiErrors(request, error)) };
  return undefined;
}

function problemOf({ url, baseUrl }: Request, { status, error, message, ...members }: ErrorBody) {
  const kind = error.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return {
    type: `${baseUrl}${guide}#${kind}`,
    title: error,
    status,
    detail: message,
    instance: baseUrl + url,
    ...members,
  };
}

function jsonApiErrors({ method }: Request, { status, error, message, errors }: ErrorBody) {
  const base = { status: String(status), title: error };
  const faults = errors as readonly FieldFault[] | undefined;
  // Reads have parameters, writes have fields.
  const isRead = method === 'GET' || method === 'HEAD';
  return {
    jsonapi: { version: '1.1' },
    errors: faults?.map(({ field, message: detail }) => ({
      ...base,
      detail,
      source: isRead ? { parameter: field } : { pointer: pointerTo(field) },
    })) ?? [{ ...base, detail: message }],
  };
}

function pointerTo(field: string): string {
  if (field === '') return '';
  const names = field.split('.').map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `/${names.join('/')}`;
}
