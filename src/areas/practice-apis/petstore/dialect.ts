/** Swagger's Petstore: version 2, whose description is Swagger 2.0, and version 3. */

import { isObject } from '#base/json-object.js';
import { html } from '#kit/pages/html.js';
import { renderPage } from '#kit/pages/plain-page.js';
import type { Call } from '../dialect/call.js';
import { collectionsOf, declareDialect, renamed } from '../dialect/declare.js';
import { describeDialect } from '../dialect/describe.js';
import type { Dialect } from '../dialect/dialect.js';
import { Outcome, plainText } from '../dialect/outcome.js';
import { writeElement } from '../dialect/xml.js';
import { describeOld } from './describe-old.js';
import { writeExactly } from './models.js';
import { petHandlers, storeHandlers, userHandlers, type Version } from './operations.js';

const response = (code: number, type: string, message: string) => ({ code, type, message });

const old: Version = {
  ...collectionsOf<'pets' | 'orders' | 'users'>('petstore', '-v2'),
  isOld: true,
  fault(status, text) {
    const isUnknown = status === 404 && / not found$/.test(text);
    const [code, type] = isUnknown ? [1, 'error'] : [status, 'unknown'];
    return new Outcome(status, response(code as number, type as string, text));
  },
  done: (text) => response(200, 'unknown', text),
};

const unreadable = 'Input error: unable to convert input to the model';

const recent: Version = {
  ...collectionsOf<'pets' | 'orders' | 'users'>('petstore', '-v3'),
  isOld: false,
  fault: (status, text) =>
    text === 'bad input'
      ? new Outcome(status, { code: status, message: unreadable })
      : new Outcome(status, text, plainText),
  done: (text, model = new Outcome(200, text, plainText)) => model,
};

const handlersOf = (prefix: string, version: Version) =>
  renamed(
    { ...petHandlers(version), ...storeHandlers(version), ...userHandlers(version) },
    (id) => prefix + id,
  );

const scopes = { 'write:pets': 'change your pets', 'read:pets': 'read your pets' };
const apiKey = { type: 'apiKey', name: 'api_key', in: 'header' };

/** The part of the dialect that a version describes, with names in XML. */
function partOf(base: string, nameInXml: (name: string) => string): Dialect {
  const routes = dialect.routes.flatMap(({ id, path, ...rest }) => {
    const [, own] = /^v\d\.(.+)$/.exec(id) ?? [];
    if (own === undefined || !path.startsWith(base)) return [];
    return [{ ...rest, id: own, path: path.slice(base.length) }];
  });
  const schemas = Object.entries(dialect.schemas ?? {}).map(([name, schema]) => {
    const isModel = 'xml' in schema;
    return [name, isModel ? { ...schema, xml: { name: nameInXml(name) } } : schema];
  });
  const version = dialect.follows.version.split(' and ')[base === '/v2' ? 0 : 1] ?? '';
  const follows = { ...dialect.follows, version };
  return { ...dialect, follows, routes, schemas: Object.fromEntries(schemas) };
}

const lower = (name: string) => name.toLowerCase();

function describeRecent(call: Call): object {
  const described = describeDialect(partOf('/v3', lower)) as { readonly components: object };
  const implicit = { authorizationUrl: call.url('/oauth/authorize'), scopes };
  const securitySchemes = {
    petstore_auth: { type: 'oauth2', flows: { implicit } },
    api_key: apiKey,
  };
  const base = call.request.url.includes('/api/v3') ? '/api/v3' : '/v3';
  const components = { ...described.components, securitySchemes };
  return { ...described, servers: [{ url: call.url(base) }], components };
}

function describeFirst(call: Call): object {
  const authorizationUrl = call.url('/oauth/authorize');
  const part = partOf('/v2', (name) => name);
  return describeOld(part, call.url('/v2'), {
    petstore_auth: { type: 'oauth2', flow: 'implicit', authorizationUrl, scopes },
    api_key: apiKey,
  });
}

const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** The page of the implicit flow: a link with a token, which no operation requires. */
function authorize(call: Call) {
  const [target = '', state] = ['redirect_uri', 'state'].map((name) => call.query(name));
  const url = URL.canParse(target) ? new URL(target) : undefined;
  // The page leads nowhere else.
  const isLocal = /^https?:$/.test(url?.protocol ?? '') && localHost.test(url?.hostname ?? '');
  if (url === undefined || !isLocal || target.length > 2000) {
    return new Outcome(400, response(400, 'error', 'redirect_uri must be a URL of localhost.'));
  }
  const granted = { access_token: 'special-token', token_type: 'bearer', expires_in: '3600' };
  url.hash = new URLSearchParams({ ...granted, ...(state && { state }) }).toString();
  const body = html`<h1>Petstore</h1><p><a href="${url.href}">Allow access to your pets</a></p>`;
  return renderPage('Authorize', body).send(call.reply);
}

const isOld = ({ request }: Call) => request.url.toLowerCase().startsWith('/petstore/v2');

/** The element of a list, or of the model that has a member. */
const roots = [
  ['photoUrls', 'Pet'],
  ['username', 'User'],
  ['petId', 'Order'],
  ['shipDate', 'Order'],
  ['quantity', 'Order'],
  ['code', 'ApiResponse'],
] as const;

function rootOf(value: unknown): string {
  if (Array.isArray(value)) return 'pets';
  return roots.find(([member]) => isObject(value) && Object.hasOwn(value, member))?.[1] ?? 'Map';
}

function send(call: Call, { status, body, headers }: Outcome) {
  const reply = call.reply.code(status).headers(headers);
  if (body === undefined || typeof body === 'string') return reply.send(body || undefined);
  const isXml = /^(?:application|text)\/xml(?![^,;])/.test(call.header('accept') ?? '');
  if (!isXml) return reply.type('application/json').send(Buffer.from(writeExactly(body)));
  const named = isOld(call) ? (name: string) => name : lower;
  const items: Readonly<Record<string, string>> = {
    photoUrls: 'photoUrl',
    tags: 'tag',
    pets: named('Pet'),
  };
  const element = writeElement(named(rootOf(body)), body, (list) => items[list] ?? 'item');
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  return reply.type('application/xml').send(Buffer.from(declaration + element));
}

export const dialect = declareDialect(
  'petstore',
  {
    authorize,
    describeV2: describeFirst,
    describeV3: describeRecent,
    ...handlersOf('v2.', old),
    ...handlersOf('v3.', recent),
  },
  {
    unknown: (call) => (isOld(call) ? old : recent).fault(404, 'null for uri'),
    failure: (status, message) => response(status, 'unknown', message),
    send,
  },
);
