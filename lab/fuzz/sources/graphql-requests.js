/** GraphQL over HTTP: random valid documents for schema.graphql, and damaged ones. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { asBytes, writeRequest } from '../../harness/raw-http.js';
import { judgeRestError, parseBody } from '../judge-response.js';
import { inHeader, inQuery, mutateText, mutateTokens, oddValue } from '../mutate-text.js';
import { writeDocument } from '../write-document.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 */

const schema = buildSchema(
  readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'),
);

const json = 'application/json';
const newerType = 'application/graphql-response+json; charset=utf-8';
const olderType = 'application/json; charset=utf-8';

/**
 * @typedef {import('../write-document.js').RandomDocument} RandomDocument
 * @typedef {import('../run-fuzz.js').RequestCase} RequestCase
 */

/** @returns {import('../run-fuzz.js').Source} */
export function graphqlRequests() {
  const kinds = Object.entries(damages);
  return {
    name: 'graphql',
    next(random) {
      const document = writeDocument(schema, random.below);
      if (random.chance(20)) return keep(random, document);
      const [kind, damage] = random.pick(kinds);
      const body = damage(random, document);
      return typeof body === 'string' ? post(kind, body) : body;
    },
  };
}

/**
 * @param {Random} random
 * @param {RandomDocument} document
 */
function keep(random, { query, variables }) {
  if (random.chance(25)) {
    const target = `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`;
    if (target.length < 8000) return get('a valid document by GET', target, mustSucceed);
  }
  return post('a valid document', JSON.stringify({ query, variables }), mustSucceed);
}

/** @type {Readonly<Record<string, (random: Random, document: RandomDocument) => string | RequestCase>>} */
const damages = {
  'damaged text': (random, { query, variables }) =>
    JSON.stringify({ query: mutateText(random, query), variables }),
  'damaged tokens': (random, { query, variables }) =>
    JSON.stringify({ query: damageTokens(random, query), variables }),
  'more damaged tokens': (random, { query }) =>
    JSON.stringify({ query: damageTokens(random, damageTokens(random, query)) }),
  'wrong variables': (random, { query, variables }) => {
    const entries = Object.entries(variables).map(([name, value]) => [
      name,
      random.chance(50) ? oddValue(random) : value,
    ]);
    return JSON.stringify({ query, variables: Object.fromEntries(entries) });
  },
  'damaged JSON': (random, { query, variables }) =>
    mutateText(random, JSON.stringify({ query, variables })),
  'an odd member': (random, { query, variables }) => {
    const members = { query, variables, operationName: null, extensions: null };
    const name = random.pick(['query', 'variables', 'operationName', 'extensions', '__proto__']);
    return JSON.stringify({ ...members, [name]: oddValue(random) });
  },
  'a persisted query': (random, { query, variables }) => {
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const right = { version: 1, sha256Hash };
    const odd = random.pick([
      { ...right, version: oddValue(random) },
      { ...right, sha256Hash: oddValue(random) },
      { ...right, sha256Hash: mutateText(random, sha256Hash) },
      oddValue(random),
    ]);
    const extensions = { persistedQuery: random.chance(60) ? right : odd };
    return JSON.stringify({ ...(random.chance(50) && { query }), variables, extensions });
  },
  'an odd body': (random) => JSON.stringify(oddValue(random)) ?? '',
  nesting: (random) => JSON.stringify({ query: nestedDocument(random) }),
  'a mutation': (random) => JSON.stringify({ query: mutationDocument(random) }),
  'a damaged document by GET': (random, { query }) => {
    const target = `/graphql?query=${inQuery(mutateText(random, query))}`;
    if (target.length < 12_000) return get('a damaged document by GET', target);
    return JSON.stringify({ query: mutateText(random, query) });
  },
  'an odd header': (random, { query, variables }) => {
    const name = random.pick(['Accept', 'Content-Type', 'Content-Encoding', 'X-Sandbox', 'Accept']);
    const sent = random.pick([
      ...['application/json', 'application/graphql-response+json', '*/*', 'text/html', 'gzip', ''],
      ...['application/json; charset=utf-16', 'application/json;q=0', 'identity'],
      'multipart/mixed',
    ]);
    const value = inHeader(random.chance(50) ? sent : mutateText(random, sent));
    const headers = { 'Content-Type': json, [name]: value };
    return post('an odd header', JSON.stringify({ query, variables }), undefined, headers);
  },
};

/**
 * @param {string} kind
 * @param {string} text
 * @param {RequestCase['judge']} [judge]
 * @param {Record<string, string>} [headers]
 */
function post(kind, text, judge = judgeGraphql, headers = { 'Content-Type': json }) {
  const bytes = writeRequest('POST', '/graphql', Object.entries(headers), asBytes(text));
  return { kind, method: 'POST', bytes, judge };
}

/**
 * @param {string} kind
 * @param {string} target
 * @param {RequestCase['judge']} [judge]
 */
const get = (kind, target, judge = judgeGraphql) => ({
  kind,
  method: 'GET',
  bytes: writeRequest('GET', target),
  judge,
});

const errorMembers = ['message', 'locations', 'path', 'extensions'];

/**
 * Checks GraphQL October 2021 section 7.1, GraphQL over HTTP section 6, and the promises of
 * docs/graphql.md.
 *
 * @param {WireResponse} response
 * @returns {string | undefined}
 */
function judgeGraphql(response) {
  const { status, headers } = response;
  const contentType = headers.get('content-type') ?? '';
  // REST errors of the whole server: a wrong Content-Type, a malformed sandbox header, and others.
  const isRest = contentType === olderType && parseBody(response)?.message !== undefined;
  if (isRest && [400, 404, 413, 415, 431].includes(status)) return judgeRestError(response);
  if (status === 200 && contentType.startsWith('text/html')) return undefined;
  if (contentType !== newerType && contentType !== olderType) return `of type ${contentType}`;
  if (![200, 400, 405, 406].includes(status)) return `status ${status}`;
  const parsed = parseBody(response);
  const members = Object.keys(parsed ?? {}).join();
  if (!['data', 'errors', 'errors,data'].includes(members)) return `members ${members}`;
  const hasData = members !== 'errors';
  const isUnknownHash = parsed.errors?.[0]?.extensions?.code === 'PERSISTED_QUERY_NOT_FOUND';
  if (isUnknownHash) return status === 200 && !hasData ? undefined : `an unknown hash: ${status}`;
  if (contentType === newerType && hasData !== (status === 200)) return `${members} with ${status}`;
  if (parsed.errors === undefined) return undefined;
  if (parsed.errors.length === 0 || parsed.errors.length > 5) return 'too few or many errors';
  for (const error of parsed.errors) {
    const names = Object.keys(error).join();
    if (names !== errorMembers.filter((name) => name in error).join())
      return `an error of ${names}`;
    if (typeof error.message !== 'string' || error.message === '') return 'an error not explained';
    const { code, specifiedBy } = error.extensions ?? {};
    if (code === 'INTERNAL') return 'an unexpected failure';
    if (!code && !specifiedBy) return 'an error without its rule or code';
    if ('path' in error !== hasData) return 'a field error without data, or the other way round';
  }
  return undefined;
}

/**
 * @param {WireResponse} response
 * @returns {string | undefined}
 */
function mustSucceed(response) {
  const { status, body } = response;
  const code = parseBody(response)?.errors?.[0]?.extensions?.code;
  if (status === 200 || code === 'LIMIT_EXCEEDED') return judgeGraphql(response);
  return `a valid document was rejected: ${body.slice(0, 200)}`;
}

const token = /\s+|#.*|\.\.\.|"(?:[^"\\\n]|\\.)*"|[\w$@-]+|[^\w\s]/g;
const oddTokens = [
  ...['{', '}', '(', ')', '[', ']', ':', '!', '=', '|', '&', '...', '@', '$', '"', '"""', '#'],
  ...['query', 'mutation', 'subscription', 'fragment', 'on', 'type', 'null', 'true', '__typename'],
  ...['__schema { types { name } }', '__type(name: "Query") { name }', '@skip(if: true)', '@defer'],
  ...['-0', '1e400', '99999999999999999999', '0.1.2', '0x1', '\u0000', '\u202e', '\ufeff', '💥'],
  ...['"\\u{1F600}"', '"\\ud800"', '"\\q"', 'id: "1"', 'id: 1.0', 'id: [1]', 'id: {a: 1}', 'a: a'],
];

/** @param {Random} random @param {string} query */
const damageTokens = (random, query) =>
  mutateTokens(random, query.match(token) ?? [], oddTokens, random.chance(20) ? ' ' : '');

/** @param {Random} random */
function nestedDocument(random) {
  const depth = 1 + random.below(random.chance(10) ? 20_000 : 60);
  const [open, close, core] = random.pick([
    ['{ a ', '}', ''],
    ['{ ... ', '}', '{ __typename }'],
    ['{ books(genre: ', ') { id } }', '1'],
    ['[', ']', '1'],
    ['{ __type(name: "Query") { fields { type { ofType ', '} } } }', '{ name }'],
    ['query ', '{ a }', '($a: Int = 1)'],
    ['@skip(if: ', ')', 'true'],
    ['fragment F on Query { ...F }', '', '{ ...F }'],
  ]);
  const inner = open.repeat(depth) + core + close.repeat(random.chance(80) ? depth : depth - 1);
  return random.chance(50) ? `{ books(genre: ${inner}) { id } }` : inner;
}

/** @param {Random} random */
function mutationDocument(random) {
  const value = () => JSON.stringify(oddValue(random) ?? null).replace(/"(\w+)":/g, '$1:');
  return random.pick([
    () => `mutation { createUser(name: ${value()}, job: "J", city: ${value()}) { id name } }`,
    () => `mutation { updateUser(id: ${value()}, name: "N", job: "J", city: "C") { id } }`,
    () => `mutation { deleteUser(id: ${value()}) }`,
    () => `mutation { addTodo(title: ${value()}, userId: 1, priority: "low") { id dueDate } }`,
    () => `mutation { toggleTodo(id: ${random.below(220)}) { id completed } }`,
    () => `mutation { deleteTodo(id: ${value()}) a: deleteTodo(id: 1000) }`,
  ])();
}
