/**
 * The floors: what each area answers, made by hand on a bare node:http server with no more care than
 * it must. They send the headers that this service sends with every answer, because the wire contract
 * asks for them; constants are taken from our own answers before the load begins.
 */

import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.js';

/** The contender whose answers must have the headers of ours, no more and no fewer. */
export const floor = 'node:http by hand';

/** @typedef {import('node:http').IncomingMessage} Request */

/**
 * @typedef {object} Answer
 * @property {string | Buffer} body
 * @property {number} [status] 200 when left out
 * @property {string} [type] The Content-Type; JSON when left out
 * @property {Record<string, string | number>} [headers]
 */

/** @typedef {(request: Request, body: string) => Answer | undefined} Handle */

const json = 'application/json; charset=utf-8';

/** What is the same in every answer of ours to paths of one kind. */
const commonNames = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'vary',
];

/**
 * @param {string} ourUrl
 * @param {Handle} handle Bodies are read before; without an answer it is 404
 * @param {string} [path] One of those that are asked, to take what is the same in all answers from
 * @returns {Promise<string>}
 */
async function startFloor(ourUrl, handle, path = '/nothing') {
  const { headers: ours } = await fetchOurs(ourUrl + path);
  const common = Object.fromEntries(
    commonNames.flatMap((name) => {
      const value = ours[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
  return startServer(handle, (request) => ({
    'x-request-id': request.headers['x-request-id']?.toString() ?? randomUUID(),
    ...common,
  }));
}

/**
 * @param {Handle} handle
 * @param {(request: Request) => Record<string, string>} headersOf
 */
function startServer(handle, headersOf) {
  const server = createServer((request, response) => {
    if (request.headers['content-length'] === undefined) {
      answer('');
      return;
    }
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => answer(Buffer.concat(chunks).toString()));

    /** @param {string} sent */
    function answer(sent) {
      const { status = 200, type = json, body, headers } = handle(request, sent) ?? nothing;
      response.writeHead(status, {
        ...headersOf(request),
        ...headers,
        'content-type': type,
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    }
  });
  return listenOnLoopback(server);
}

/** @type {Answer} */
const nothing = { status: 404, body: '{}' };

/**
 * An answer of ours, to take constants from.
 *
 * @param {string} url
 */
async function fetchOurs(url) {
  // Loaded here, so that it is in no floor's way: the client of node:http loads much faster than fetch.
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    }).on('error', reject);
  });
}

/** A contender that makes nothing: it sends what ours once answered, from memory. */
export const sameBytes = 'node:http, the same bytes from memory';

/**
 * @param {string} ourUrl
 * @param {readonly import('./harness.js').BenchRequest[]} requests
 */
export async function startSameBytes(ourUrl, requests) {
  const perResponse = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);
  /** @type {Map<string, Answer>} */
  const responses = new Map();
  for (const { method = 'GET', path, headers, body = '' } of requests) {
    const response = await fetch(ourUrl + path, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      ...(body !== '' && { body }),
    });
    const kept = [...response.headers].filter(([name]) => !perResponse.has(name));
    responses.set(path + body, {
      body: Buffer.from(await response.arrayBuffer()),
      type: response.headers.get('content-type') ?? json,
      headers: Object.fromEntries(kept),
    });
  }
  return startServer(
    ({ url }, body) => responses.get(url + body),
    (request) => ({ 'x-request-id': request.headers['x-request-id']?.toString() ?? randomUUID() }),
  );
}

/** @param {string} dataset */
function recordsOf(dataset) {
  return JSON.parse(readFileSync(new URL(`../../data/${dataset}.json`, import.meta.url), 'utf8'));
}

/** @param {string} text */
function entityTag(text) {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** @param {string} body */
function recordHeaders(body) {
  return { etag: entityTag(body), 'last-modified': new Date().toUTCString() };
}

/** @type {Handle} */
function echo(request, body) {
  const { method, url = '', headers } = request;
  const contentType = headers['content-type'] ?? null;
  const record = {
    method,
    message: `${method} request received`,
    path: url,
    query: {},
    contentType,
    bodyLength: Buffer.byteLength(body),
    bodyTruncated: false,
    body: body === '' ? null : body,
    timestamp: new Date().toISOString(),
    ...(contentType === 'application/json' && { json: JSON.parse(body) }),
  };
  return { body: JSON.stringify(record) };
}

/** @param {string} ourUrl */
export function startMethodsFloor(ourUrl) {
  return startFloor(ourUrl, echo, '/api/methods/get');
}

/** The same without the headers of every answer, to show what they cost. */
export function startBareMethodsFloor() {
  return startServer(echo, () => ({}));
}

/**
 * @param {string} ourUrl
 * @param {{basic: string, bearer: string, jwtKey: string, issuer: string, claimNames: Record<string, string>}} accepted
 */
export async function startAuthFloor(ourUrl, { basic, bearer, jwtKey, issuer, claimNames }) {
  const basicRecord = { authenticated: true, scheme: 'basic', user: 'demo' };
  const bearerRecord = {
    authenticated: true,
    scheme: 'bearer',
    user: 'admin',
    roles: ['admin', 'user'],
    scopes: ['read', 'write', 'delete'],
  };

  /** @param {string} token */
  function me(token) {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const expected = createHmac('sha256', jwtKey).update(`${header}.${payload}`).digest();
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (claims.exp * 1000 <= Date.now() || claims.iss !== issuer) return undefined;
    return {
      username: claims[claimNames.nameIdentifier ?? ''],
      role: claims[claimNames.role ?? ''],
      name: 'Uma User',
      email: claims[claimNames.email ?? ''],
      claims: Object.entries(claims).map(([type, value]) => ({ type, value: String(value) })),
    };
  }

  /** @type {Handle} */
  const handle = ({ url, headers: { authorization = '' } }) => {
    const record =
      url === '/api/auth/basic'
        ? authorization === basic && basicRecord
        : url === '/api/auth/bearer'
          ? authorization === bearer && bearerRecord
          : me(authorization.slice('Bearer '.length));
    return { status: record ? 200 : 401, body: JSON.stringify(record || { status: 401 }) };
  };
  return startFloor(ourUrl, handle, '/api/auth/basic');
}

/** @param {string} ourUrl */
export function startGraphqlFloor(ourUrl) {
  /** @type {{id: number}[]} */
  const books = recordsOf('books');
  const byId = new Map(books.map((book) => [book.id, book]));
  return startFloor(
    ourUrl,
    (_request, body) => {
      if (body === '') return undefined;
      const { variables } = JSON.parse(body);
      const data = variables === undefined ? { books } : { book: byId.get(variables.id) ?? null };
      return {
        type: 'application/graphql-response+json; charset=utf-8',
        body: JSON.stringify({ data }),
      };
    },
    '/graphql?query=%7B__typename%7D',
  );
}

/** @param {string} ourUrl */
export function startResourcesFloor(ourUrl) {
  /** @type {{id: number, category: string, price: number}[]} */
  const events = recordsOf('events');
  const byId = new Map(
    events.map((event) => {
      const body = JSON.stringify(event);
      return [String(event.id), { body, headers: recordHeaders(body) }];
    }),
  );
  let lastId = events.length;
  /** @type {Map<string, object>} */
  const written = new Map(events.map((event) => [String(event.id), event]));

  /** @type {(id: string, event: object) => Answer} */
  function write(id, event) {
    written.set(id, event);
    const body = JSON.stringify(event);
    return { body, headers: recordHeaders(body) };
  }

  /** @type {(sent: string, host?: string) => Answer} */
  function create(sent, host) {
    const id = ++lastId;
    const { body, headers } = write(String(id), { id, ...JSON.parse(sent) });
    if (id - 1000 > events.length) written.delete(String(id - 1000));
    const location = `http://${host}/api/Events/${id}`;
    return { status: 201, body, headers: { ...headers, location } };
  }

  /** @type {(id: string, sent: string) => Answer} */
  function change(id, sent) {
    return write(id, { ...written.get(id), ...JSON.parse(sent) });
  }

  return startFloor(
    ourUrl,
    ({ url = '', method, headers: { host } }, sent) => {
      const [path = '', queryText = ''] = url.split('?');
      if (method === 'POST') return create(sent, host);
      if (method === 'PATCH') return change(path.slice('/api/Events/'.length), sent);
      if (path !== '/api/Events') return byId.get(path.slice('/api/Events/'.length));
      const query = new URLSearchParams(queryText);
      const category = query.get('category')?.toLowerCase();
      const minPrice = Number(query.get('price_gte') ?? 0);
      let found = events;
      if (category !== undefined) {
        found = found.filter(
          (event) => event.category.toLowerCase() === category && event.price >= minPrice,
        );
      }
      if (query.get('sort') === '-price') found = found.toSorted((a, b) => b.price - a.price);
      const total = { 'x-total-count': found.length };
      const limit = Number(query.get('limit') ?? 0);
      if (limit === 0) return { body: JSON.stringify(found), headers: total };
      const page = Number(query.get('page') ?? 1);
      const pages = Math.ceil(found.length / limit);
      /** @type {(to: number, rel: string) => string} */
      const link = (to, rel) => {
        query.set('page', String(to));
        return `<http://${host}${path}?${query}>; rel="${rel}"`;
      };
      return {
        body: JSON.stringify(found.slice((page - 1) * limit, page * limit)),
        headers: {
          ...total,
          link: [
            link(1, 'first'),
            link(Math.max(1, page - 1), 'prev'),
            link(Math.min(pages, page + 1), 'next'),
            link(pages, 'last'),
          ].join(', '),
          'x-page': page,
          'x-per-page': limit,
          'x-total-pages': pages,
        },
      };
    },
    '/api/Events',
  );
}

/** @param {string} ourUrl */
export function startPaginationFloor(ourUrl) {
  /** @type {{id: number}[]} */
  const items = recordsOf('items');
  const key = randomBytes(32);

  /** @param {number} id */
  function seal(id) {
    const position = Buffer.alloc(4);
    position.writeUInt32BE(id);
    const mac = createHmac('sha256', key).update(position).digest().subarray(0, 14);
    return Buffer.concat([position, mac]).toString('base64url');
  }

  return startFloor(
    ourUrl,
    ({ url = '', headers: { host } }) => {
      const [path = '', queryText = ''] = url.split('?');
      const query = new URLSearchParams(queryText);
      const limit = Number(query.get('limit') ?? 10);
      const total = { 'x-total-count': items.length };
      if (path.endsWith('/offset')) {
        const offset = Number(query.get('offset') ?? 0);
        const data = items.slice(offset, offset + limit);
        const hasMore = offset + limit < items.length;
        const pagination = { offset, limit, total: items.length, hasMore };
        return { body: JSON.stringify({ data, pagination }), headers: total };
      }
      if (path.endsWith('/cursor')) {
        const data = items.slice(0, limit);
        const address = `http://${host}${path}`;
        const next_cursor = seal(data.at(-1)?.id ?? 0);
        return {
          body: JSON.stringify({ object: 'list', url: address, data, has_more: true, next_cursor }),
        };
      }
      const page = Number(query.get('page') ?? 1);
      const perPage = Number(query.get('per_page') ?? 10);
      const pages = Math.ceil(items.length / perPage);
      /** @type {(to: number, rel: string) => string} */
      const link = (to, rel) =>
        `<http://${host}${path}?page=${to}&per_page=${perPage}>; rel="${rel}"`;
      return {
        body: JSON.stringify(items.slice((page - 1) * perPage, page * perPage)),
        headers: {
          ...total,
          link: [
            link(1, 'first'),
            link(Math.max(1, page - 1), 'prev'),
            link(Math.min(pages, page + 1), 'next'),
            link(pages, 'last'),
          ].join(', '),
        },
      };
    },
    '/api/pagination/link',
  );
}

/** @param {string} ourUrl */
export function startRateLimitFloor(ourUrl) {
  const limit = 5;
  const windowMs = 60_000;
  /** @type {Map<string, {used: number, endsAtMs: number}>} */
  const windows = new Map();
  return startFloor(
    ourUrl,
    ({ url, headers, socket }) => {
      const sent = headers['x-client-id'];
      const clientId = sent === undefined ? `ip:${socket.remoteAddress}` : `id:${sent}`;
      const nowMs = Date.now();
      const found = windows.get(clientId);
      const open = found !== undefined && found.endsAtMs > nowMs ? found : undefined;
      const resetsInSeconds = open === undefined ? 0 : Math.ceil((open.endsAtMs - nowMs) / 1000);
      if (url === '/api/RateLimit/status') {
        const used = open?.used ?? 0;
        const record = { clientId, used, remaining: limit - used, limit, resetsInSeconds };
        return { body: JSON.stringify(record) };
      }
      if (url !== '/api/RateLimit') return undefined;
      const window = open ?? { used: 0, endsAtMs: nowMs + windowMs };
      if (open === undefined) windows.set(clientId, window);
      const isAccepted = window.used < limit;
      if (isAccepted) window.used += 1;
      const remaining = limit - window.used;
      const rateHeaders = {
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': Math.ceil(window.endsAtMs / 1000),
      };
      if (!isAccepted) {
        const message = `The limit of ${limit} requests in ${windowMs / 1000} seconds is used up.`;
        const rejection = { status: 429, error: 'Too Many Requests', message };
        return {
          status: 429,
          body: JSON.stringify({ ...rejection, retryAfter: resetsInSeconds }),
          headers: { ...rateHeaders, 'retry-after': resetsInSeconds },
        };
      }
      const { used } = window;
      const message = `Request ${used} of ${limit} in this window.`;
      const record = { message, clientId, used, remaining, limit, windowSeconds: 60 };
      return { body: JSON.stringify(record), headers: rateHeaders };
    },
    '/api/RateLimit/status',
  );
}

/** @param {string} ourUrl */
export async function startVersioningFloor(ourUrl) {
  const profiles = {
    1: JSON.parse((await fetchOurs(`${ourUrl}/api/v1/profile`)).body),
    2: JSON.parse((await fetchOurs(`${ourUrl}/api/v2/profile`)).body),
  };
  return startFloor(
    ourUrl,
    ({ url = '', headers }) => {
      const [path = '', queryText = ''] = url.split('?');
      if (path !== '/api/versioned/profile') return undefined;
      const asked = headers['x-api-version'];
      const inQuery = asked ?? new URLSearchParams(queryText).get('api-version');
      const version = asked === '1' || inQuery === '1' ? 1 : 2;
      const successor = `<http://${headers.host}/api/v2/profile>; rel="successor-version"`;
      return {
        body: JSON.stringify(profiles[version]),
        headers: {
          vary: 'X-API-Version, Accept',
          'x-api-version': version,
          'x-api-version-source': asked === undefined ? 'default' : 'header',
          ...(version === 1 && {
            deprecation: '@1782864000',
            sunset: 'Fri, 31 Dec 2027 23:59:59 GMT',
            link: successor,
          }),
        },
      };
    },
    '/api/v1/profile',
  );
}

/** @param {string} ourUrl */
export function startSoapFloor(ourUrl) {
  const call = /<(\w+) xmlns="http:\/\/tempuri\.org\/">\s*<intA>(-?\d+)<\/intA>\s*<intB>(-?\d+)</;
  /** @type {Handle} */
  const handle = (_request, body) => {
    const [, operation, a, b] = call.exec(body) ?? [];
    if (operation !== 'Add') return undefined;
    const result = Number(a) + Number(b);
    return {
      type: 'text/xml; charset=utf-8',
      headers: { 'cache-control': 'no-store' },
      body: `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><AddResponse xmlns="http://tempuri.org/"><AddResult>${result}</AddResult></AddResponse></soap:Body></soap:Envelope>`,
    };
  };
  return startFloor(ourUrl, handle, '/api/soap/calculator?wsdl');
}

/** @param {string} ourUrl */
export function startBinsFloor(ourUrl) {
  const maxCaptures = 50;
  /** @type {object[]} */
  const captures = [];
  let count = 0;
  const binId = randomBytes(17).toString('base64url').slice(0, 22);
  return startFloor(ourUrl, ({ method, url, rawHeaders, socket }, body) => {
    count += 1;
    captures.push({
      receivedAtMs: Date.now(),
      method,
      url,
      rawHeaders,
      ip: socket.remoteAddress,
      body,
    });
    if (captures.length > maxCaptures) captures.shift();
    return {
      body: JSON.stringify({ received: true, binId, requestId: String(count) }),
      headers: {
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
    };
  });
}

/** @param {string} ourUrl */
export function startSandboxFloor(ourUrl) {
  /** @type {{id: number}[]} */
  const books = recordsOf('books');
  const pristine = new Map(books.map((book) => [String(book.id), asKept(book)]));
  /** @type {Map<string, Map<string, ReturnType<typeof asKept>>>} */
  const sandboxes = new Map();

  /** @param {object} record */
  function asKept(record) {
    const body = JSON.stringify(record);
    return { record, answer: { body, headers: recordHeaders(body) } };
  }

  return startFloor(
    ourUrl,
    ({ method, url = '', headers }, body) => {
      const name = String(headers['x-sandbox'] ?? '');
      const id = url.slice('/api/Books/'.length);
      const kept = sandboxes.get(name)?.get(id) ?? pristine.get(id);
      if (kept === undefined || method === 'GET') return kept?.answer;
      const changed = asKept({ ...kept.record, ...JSON.parse(body) });
      const sandbox = sandboxes.get(name) ?? new Map();
      sandboxes.set(name, sandbox.set(id, changed));
      return changed.answer;
    },
    '/api/Books/1',
  );
}

/** @param {string} ourUrl */
export async function startPicturesFloor(ourUrl) {
  const path = '/images/movies/1.svg';
  const { headers, body } = await fetchOurs(ourUrl + path);
  const bytes = Buffer.from(body);
  const etag = headers.etag ?? '';
  const sent = {
    'cache-control': headers['cache-control'] ?? '',
    'content-security-policy': headers['content-security-policy'] ?? '',
    vary: headers.vary ?? '',
    etag,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  };
  return startFloor(ourUrl, ({ url }) =>
    url === path ? { type: 'image/svg+xml; charset=utf-8', body: bytes, headers: sent } : undefined,
  );
}
