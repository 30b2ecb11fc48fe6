/**
 * Parts of floors: minimal responses by hand on a bare node:http server. They have the headers that
 * this service sends with every response; constants are read from real responses before the load.
 */

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { listenOnLoopback } from '../harness/peers.js';

/** The contender whose responses must have exactly our headers. */
export const floor = 'node:http by hand';

/** A contender that computes nothing: it sends our earlier responses from memory. */
export const sameBytes = 'node:http, the same bytes from memory';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 *
 * @typedef {object} Reply
 * @property {string | Buffer} body
 * @property {number} [status] 200 by default
 * @property {string} [type] The Content-Type; JSON by default
 * @property {Record<string, string | number>} [headers]
 *
 * @typedef {(request: Request, body: string) => Reply | undefined} Handle Without a reply, the status is 404
 */

const json = 'application/json; charset=utf-8';

/** Headers that are the same in all our responses for one kind of path. */
const commonNames = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'vary',
];
const perResponse = new Set([
  ...['date', 'connection', 'keep-alive', 'x-request-id', 'content-length', 'transfer-encoding'],
]);

/**
 * @param {string} ourUrl
 * @param {Handle} handle
 * @param {string} [path] A requested path, to take the common headers from
 * @returns {Promise<string>}
 */
export async function startFloor(ourUrl, handle, path = '/nothing') {
  const { headers } = await fetchOurs(ourUrl, { path });
  const common = Object.fromEntries(
    commonNames.flatMap((name) => (name in headers ? [[name, String(headers[name])]] : [])),
  );
  return startServer(handle, (request) => ({ ...requestId(request), ...common }));
}

/** @param {Request} request */
const requestId = ({ headers }) => ({
  'x-request-id': headers['x-request-id']?.toString() ?? randomUUID(),
});

/**
 * @param {Handle} handle
 * @param {(request: Request) => Record<string, string>} headersOf
 */
export function startServer(handle, headersOf) {
  const server = createServer((request, response) => {
    if (request.headers['content-length'] === undefined) respond('');
    else readText(request, respond);

    /** @param {string} sent */
    function respond(sent) {
      const { status = 200, type = json, body, headers } = handle(request, sent) ?? notFound;
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

/** @type {Reply} */
const notFound = { status: 404, body: '{}' };

/**
 * @param {Request} message
 * @param {(text: string) => void} onEnd
 */
function readText(message, onEnd) {
  /** @type {Buffer[]} */
  const chunks = [];
  message.on('data', (chunk) => chunks.push(chunk));
  message.on('end', () => onEnd(Buffer.concat(chunks).toString()));
}

/**
 * Fetches a response of this service, whose constants are reused. Returns only headers that never
 * change.
 *
 * @param {string} ourUrl
 * @param {import('../harness/load.js').LoadRequest} request
 * @returns {Promise<Required<Pick<Reply, 'type' | 'headers'>> & {text: string}>}
 */
export function fetchOurs(ourUrl, { method = 'GET', path, headers = {}, body = '' }) {
  // fetch is slow to load, which would count as the start of a floor.
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(ourUrl + path, { method, headers: { ...headers, ...length } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const kept = Object.entries(response.headers).filter(([name]) => !perResponse.has(name));
      const { 'content-type': type = json, ...others } = Object.fromEntries(kept);
      readText(response, (text) =>
        resolve({ type: String(type), headers: /** @type {any} */ (others), text }),
      );
    });
    sent.end(body);
  });
}

/**
 * @param {string} ourUrl
 * @param {readonly import('../harness/load.js').LoadRequest[]} requests
 */
export async function startSameBytes(ourUrl, requests) {
  /** @type {Map<string, Reply>} */
  const replies = new Map();
  for (const request of requests) {
    const { text, ...reply } = await fetchOurs(ourUrl, request);
    replies.set(request.path + (request.body ?? ''), { ...reply, body: Buffer.from(text) });
  }
  return startServer(({ url }, body) => replies.get(url + body), requestId);
}

/**
 * Returns the records of one of our datasets.
 *
 * @param {string} dataset
 * @returns {any[]}
 */
export function recordsOf(dataset) {
  return JSON.parse(readFileSync(new URL(`../../data/${dataset}.json`, import.meta.url), 'utf8'));
}

/**
 * Makes a reply with the current record.
 *
 * @param {unknown} record
 */
export function recordReply(record) {
  const body = JSON.stringify(record);
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, headers: { etag: `"${tag}"`, 'last-modified': new Date().toUTCString() } };
}

/** @param {string} url */
export function parseTarget(url) {
  const [path = '', query = ''] = url.split('?');
  return { path, query: new URLSearchParams(query) };
}

/**
 * Makes a page of a list, with links to other pages.
 *
 * @param {readonly unknown[]} list
 * @param {number} page
 * @param {number} perPage
 * @param {(page: number) => string} urlOf
 */
export function pageOf(list, page, perPage, urlOf) {
  const pages = Math.ceil(list.length / perPage);
  const link = [
    `<${urlOf(1)}>; rel="first"`,
    `<${urlOf(Math.max(1, page - 1))}>; rel="prev"`,
    `<${urlOf(Math.min(pages, page + 1))}>; rel="next"`,
    `<${urlOf(pages)}>; rel="last"`,
  ].join(', ');
  const body = JSON.stringify(list.slice((page - 1) * perPage, page * perPage));
  return { body, pages, headers: { 'x-total-count': list.length, link } };
}
