/**
 * Parses a complete message as text: message/http of RFC 9112 section 10.1. Lines may end with LF, as in many editors.
 */

import { HttpError } from '#http/http-error.js';
import { queryParametersOf, type SignedMessage, type SignedRequest } from './message.js';
import { type Field, MessageFields } from './message-fields.js';

const maxFields = 200;
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** `scheme` is the request's scheme, which the text does not contain. Throws 400. */
export function parseMessage(bytes: Buffer, scheme: SignedRequest['scheme']): SignedMessage {
  const text = bytes.toString('latin1');
  const [, start = '', head = '', rest = ''] =
    /^(?:\r?\n)*([^\r\n]*)\r?\n((?:[^\r\n]+(?:\r?\n|$))*)(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  const fields = parseFields(head);
  const content = { fields, ...bodyOf(fields, Buffer.from(rest, 'latin1')) };
  const [, status] = /^HTTP\/\d(?:\.\d)? (\d{3})(?: .*)?$/.exec(start) ?? [];
  if (status !== undefined) return { kind: 'response', status: Number(status), ...content };
  const [, method, target = ''] = /^(\S+) (\S+) HTTP\/\d(?:\.\d)?$/.exec(start) ?? [];
  if (method === undefined || !token.test(method)) {
    throw invalid(
      'The first line must be a request line (GET /path HTTP/1.1) or a status line (HTTP/1.1 200 OK).',
    );
  }
  const host = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? fields.valuesOf('host')[0];
  if (host === undefined) throw invalid('The request has no Host header.');
  const authority = host.toLowerCase().replace(scheme === 'https' ? /:443$/ : /:80$/, '');
  const queryParameters = queryParametersOf(target);
  return { kind: 'request', method, scheme, authority, target, queryParameters, ...content };
}

function parseFields(head: string): MessageFields {
  // A line that begins with a space continues the previous line.
  const lines = head.split(/\r?\n(?![ \t])/).filter((line) => line !== '');
  if (lines.length > maxFields) throw invalid(`The message has more than ${maxFields} headers.`);
  const fields = lines.map((line, index): Field => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!token.test(name))
      throw invalid(`Header ${index + 1} must have a name, a colon and a value.`);
    return [name, line.slice(colon + 1)];
  });
  return new MessageFields(fields);
}

function bodyOf(fields: MessageFields, rest: Buffer): Pick<SignedRequest, 'body' | 'trailers'> {
  if (fields.valuesOf('transfer-encoding').length > 0) return unchunk(rest);
  const trailers = new MessageFields();
  const [length, ...more] = fields.valuesOf('content-length');
  if (length === undefined) return { body: rest, trailers };
  if (more.length > 0 || !/^\d{1,9}$/.test(length))
    throw invalid('Content-Length is not a number of bytes.');
  if (rest.length < Number(length)) {
    throw invalid(`The body has ${rest.length} bytes, fewer than Content-Length.`);
  }
  return { body: rest.subarray(0, Number(length)), trailers };
}

/** Decodes chunks: RFC 9112 section 7.1. */
function unchunk(rest: Buffer): Pick<SignedRequest, 'body' | 'trailers'> {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = rest.indexOf('\n', at);
    const size = end < 0 ? '' : rest.toString('latin1', at, end).replace(/[;\r].*$/s, '');
    if (!/^[\da-f]{1,8}$/i.test(size)) break;
    const length = Number.parseInt(size, 16);
    at = end + 1;
    if (length === 0) {
      const trailers = parseFields(rest.toString('latin1', at));
      return { body: Buffer.concat(pieces), trailers };
    }
    if (at + length > rest.length) break;
    pieces.push(rest.subarray(at, at + length));
    at = rest.indexOf('\n', at + length) + 1;
    if (at === 0) break;
  }
  throw invalid('The chunks of the body are incomplete.');
}

function invalid(message: string): HttpError {
  return new HttpError(400, message);
}
