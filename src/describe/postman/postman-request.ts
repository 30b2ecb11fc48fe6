/** Requests as the Postman collection format 2.1 writes them. */

import type { SampleAuth, SampleBody } from '../../kit/request-collection.js';
import type { JsonObject, JsonValue } from '../openapi/json.js';
import { bodyText, type SampleRequest, targetOf } from './sample-request.js';

/** As an item has it, with its parameters in tables. */
export function postmanRequest(request: SampleRequest, description?: string): JsonObject {
  const { method, headers, body, auth } = request;
  return {
    method,
    header: headerList(headers),
    url: urlOf(request),
    ...(body && { body: bodyOf(body) }),
    ...(auth && { auth: authOf(auth) }),
    ...(description !== undefined && { description }),
  };
}

/** As `pm.sendRequest` takes it. */
export function postmanSource(request: SampleRequest): JsonObject {
  const { method, headers, body, auth } = request;
  return {
    method,
    url: `{{baseUrl}}${targetOf(request)}`,
    header: headerList(headers),
    ...(body && { body: bodyOf(body) }),
    ...(auth && { auth: authOf(auth) }),
  };
}

function headerList(headers: Readonly<Record<string, string>>): JsonValue {
  return Object.entries(headers).map(([key, value]) => ({ key, value }));
}

/** Postman's parameters are whole segments; where one is less, its value stands in the path. */
function urlOf(request: SampleRequest): JsonObject {
  const { path, pathValues, query } = request;
  const variable: JsonObject[] = [];
  const segments = path
    .slice(1)
    .split('/')
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
  const language = body.kind === 'json' || /^[{[]/.test(body.text) ? 'json' : 'text';
  const isXml = body.kind === 'text' && body.text.startsWith('<');
  return {
    mode: 'raw',
    raw: bodyText(body) ?? '',
    options: { raw: { language: isXml ? 'xml' : language } },
  };
}

function authOf(auth: SampleAuth): JsonObject {
  const list = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
  switch (auth.kind) {
    case 'bearer':
      return { type: 'bearer', bearer: list({ token: auth.token }) };
    case 'apiKey':
      return { type: 'apikey', apikey: list({ key: auth.name, value: auth.value, in: auth.in }) };
    case 'basic':
      return { type: 'basic', basic: list({ username: auth.username, password: auth.password }) };
    case 'digest':
      return {
        type: 'digest',
        digest: list({ username: auth.username, password: auth.password, algorithm: 'MD5' }),
      };
  }
}
