/** Writes requests in the Postman collection format 2.1. */

import type { SampleAuth, SampleBody } from '#kit/request-collection.js';
import type { JsonObject } from '../openapi/json.js';
import { bodyText, type SampleRequest, targetOf } from './sample-request.js';

/** Returns the form of a collection item, with parameters in tables. */
export function postmanRequest(request: SampleRequest, description?: string) {
  const { method, headers, body, auth } = request;
  return {
    method,
    header: keysAndValues(headers),
    url: urlOf(request),
    ...(body && { body: bodyOf(body) }),
    ...(auth && { auth: authOf(auth) }),
    ...(description !== undefined && { description }),
  };
}

/** Returns the form that `pm.sendRequest` accepts. */
export function postmanSource(request: SampleRequest): JsonObject {
  const { method, url: _, ...rest } = postmanRequest(request);
  return { method, url: `{{baseUrl}}${targetOf(request)}`, ...rest };
}

export function keysAndValues(values: Readonly<Record<string, string>>) {
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}

/** Postman's path parameters are whole segments; others are filled into the path. */
function urlOf({ path, pathValues, query }: SampleRequest): JsonObject {
  const variable: JsonObject[] = [];
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        return segment.replace(/\{(\w+)\}/g, (_, each) => pathValues[each] ?? '');
      }
      variable.push({ key: name, value: pathValues[name] ?? '' });
      return `:${name}`;
    });
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length > 0 && { query: query.map(([key, value]) => ({ key, value })) }),
    ...(variable.length > 0 && { variable }),
  };
}

function bodyOf(body: SampleBody): JsonObject {
  if (body.kind === 'form') {
    const urlencoded = body.fields.map(([key, value]) => ({ key, value, type: 'text' }));
    return { mode: 'urlencoded', urlencoded };
  }
  const raw = bodyText(body);
  const isXml = body.kind === 'text' && raw.startsWith('<');
  const language = body.kind === 'json' || /^[{[]/.test(raw) ? 'json' : 'text';
  return { mode: 'raw', raw, options: { raw: { language: isXml ? 'xml' : language } } };
}

function authOf(auth: SampleAuth): JsonObject {
  const type = auth.kind.toLowerCase();
  const values = keysAndValues(authValues(auth));
  return { type, [type]: values.map((each) => ({ ...each, type: 'string' })) };
}

function authValues(auth: SampleAuth): Readonly<Record<string, string>> {
  switch (auth.kind) {
    case 'bearer':
      return { token: auth.token };
    case 'apiKey':
      return { key: auth.name, value: auth.value, in: auth.in };
    case 'awsv4': {
      const { kind: _, ...values } = auth;
      return values;
    }
    case 'basic':
      return { username: auth.username, password: auth.password };
    case 'digest':
      return { username: auth.username, password: auth.password, algorithm: 'MD5' };
  }
}
