/** Sends responses like json-server: indented JSON, with limited size. */

import { hash } from 'node:crypto';
import { turns } from '#base/work-in-turns.js';
import { matchesEntityTag } from '#http/caching/conditional.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { maxResponseBytes } from '#http/sending/max-response-bytes.js';

interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly value: unknown;
}

/** The headers of responses of 0.17, except CORS headers. */
const headers0 = { 'cache-control': 'no-cache', pragma: 'no-cache', expires: '-1' };
const nosniff = { 'x-content-type-options': 'nosniff' };

export async function send0(request: Request, reply: Reply, sent: Sent): Promise<Reply> {
  const { status = 200, headers = {}, value } = sent;
  const json = await indented(value);
  const exposed = ['x-total-count', 'link', 'location'].filter((name) =>
    Object.hasOwn(headers, name),
  );
  reply.code(status).headers({ ...headers0, ...nosniff, ...headers });
  if (exposed.length > 0) {
    reply.header(
      'access-control-expose-headers',
      exposed.map((name) => shownNames[name]).join(', '),
    );
  }
  const callback = callbackOf(request);
  const isScript = callback !== undefined;
  reply.type(isScript ? 'text/javascript; charset=utf-8' : 'application/json; charset=utf-8');
  return sendTagged(request, reply, Buffer.from(isScript ? scriptOf(callback, json) : json));
}

const shownNames: Readonly<Record<string, string>> = {
  'x-total-count': 'X-Total-Count',
  link: 'Link',
  location: 'Location',
};

/** Returns the function name of a JSONP request. */
function callbackOf({ url }: Request): string | undefined {
  const query = url.includes('callback=') ? new URLSearchParams(url.split('?', 2)[1]) : undefined;
  const name = query
    ?.get('callback')
    ?.replace(/[^[\]\w$.]/g, '')
    .slice(0, 200);
  return name || undefined;
}

function scriptOf(callback: string, json: string): string {
  const safe = json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `/**/ typeof ${callback} === 'function' && ${callback}(${safe});`;
}

function sendTagged(request: Request, reply: Reply, body: Buffer): Reply {
  const tag = `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  reply.header('etag', tag);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const { 'if-none-match': known } = request.headers;
  const isKnown = isRead && reply.statusCode === 200 && matchesEntityTag(known, tag);
  return isKnown ? reply.code(304).send() : reply.send(body);
}

export async function send1(_request: Request, reply: Reply, sent: Sent): Promise<Reply> {
  const { status = 200, value } = sent;
  const json = await indented(value);
  return reply.code(status).type('application/json').send(Buffer.from(json));
}

/** Writes the same as `JSON.stringify` with two spaces. Pauses between the parts of large values. */
async function indented(value: unknown): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for (const piece of piecesOf(value, 2, '')) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxResponseBytes) {
      const message = `The response would be larger than ${maxResponseBytes} bytes. Request fewer records with _limit.`;
      throw new HttpError(400, message);
    }
    if (!turns.hasTime()) await turns.next();
  }
  return pieces.join('');
}

/** Yields the members of values as pieces, down to the given depth. */
function* piecesOf(value: unknown, depth: number, indent: string): Generator<string> {
  const isWhole = depth === 0 || typeof value !== 'object' || value === null;
  const entries = isWhole ? [] : Object.entries(value).filter(([, each]) => each !== undefined);
  if (entries.length === 0) {
    yield JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
    return;
  }
  const isArray = Array.isArray(value);
  const inner = `${indent}  `;
  let before = isArray ? '[' : '{';
  for (const [name, each] of entries) {
    yield `${before}\n${inner}${isArray ? '' : `${JSON.stringify(name)}: `}`;
    yield* piecesOf(each, depth - 1, inner);
    before = ',';
  }
  yield `\n${indent}${isArray ? ']' : '}'}`;
}
