/** A whole message as text: message/http of RFC 9112 section 10.1. Line ends may lack their CR, as those of editors do. */

import type { Fault } from '../../http/credentials/fault.js';
import {
  normalAuthority,
  queryParametersOf,
  type SignedMessage,
  type SignedRequest,
} from './message.js';
import { type Field, MessageFields } from './message-fields.js';

const maxFields = 200;
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** `scheme` is what the request came by, which such a text does not say. */
export function parseMessage(
  bytes: Buffer,
  scheme: SignedRequest['scheme'],
): SignedMessage | Fault {
  const text = bytes.toString('latin1');
  const [, start = '', head = '', rest] =
    /^(?:\r?\n)*([^\r\n]*)\r?\n((?:[^\r\n]+(?:\r?\n|$))*)(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  const fields = parseFields(head);
  if ('fault' in fields) return fields;
  const content = bodyOf(fields, Buffer.from(rest ?? '', 'latin1'));
  if ('fault' in content) return content;
  const [, status] = /^HTTP\/\d(?:\.\d)? (\d{3})(?: .*)?$/.exec(start) ?? [];
  if (status !== undefined) return { kind: 'response', status: Number(status), fields, ...content };
  const [, method, target = ''] = /^(\S+) (\S+) HTTP\/\d(?:\.\d)?$/.exec(start) ?? [];
  if (method === undefined || !token.test(method)) {
    return {
      fault:
        'The first line is neither that of a request (GET /path HTTP/1.1) nor of a response (HTTP/1.1 200 OK).',
    };
  }
  const host = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? fields.valuesOf('host')[0];
  if (host === undefined) return { fault: 'The request has no Host.' };
  const authority = normalAuthority(host, scheme);
  const queryParameters = queryParametersOf(target);
  return {
    kind: 'request',
    method,
    scheme,
    authority,
    target,
    queryParameters,
    fields,
    ...content,
  };
}

function parseFields(head: string): MessageFields | Fault {
  // A line that begins with a space goes on the one before.
  const lines = head.split(/\r?\n(?![ \t])/).filter((line) => line !== '');
  if (lines.length > maxFields) return { fault: `The message has more than ${maxFields} headers.` };
  const fields: Field[] = [];
  for (const [place, line] of lines.entries()) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!token.test(name)) return { fault: `Header ${place + 1} is no name, colon and value.` };
    fields.push([name, line.slice(colon + 1)]);
  }
  return new MessageFields(fields);
}

const noFields = new MessageFields([]);

type Content = Pick<SignedRequest, 'body' | 'trailers'>;

function bodyOf(fields: MessageFields, rest: Buffer): Content | Fault {
  if (fields.valuesOf('transfer-encoding').length > 0) return unchunk(rest);
  const lengths = fields.valuesOf('content-length');
  const [length] = lengths;
  if (length === undefined) return { body: rest, trailers: noFields };
  if (lengths.length > 1 || !/^\d{1,9}$/.test(length))
    return { fault: 'Content-Length is no length.' };
  if (rest.length < Number(length)) {
    return { fault: `The body has ${rest.length} bytes, fewer than Content-Length says.` };
  }
  return { body: rest.subarray(0, Number(length)), trailers: noFields };
}

/** RFC 9112 section 7.1. */
function unchunk(rest: Buffer): Content | Fault {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = rest.indexOf('\n', at);
    const size = end < 0 ? '' : rest.toString('latin1', at, end).replace(/[;\r].*$/s, '');
    if (!/^[\da-f]{1,8}$/i.test(size)) return { fault: 'The chunks of the body break off.' };
    const length = Number.parseInt(size, 16);
    at = end + 1;
    if (length === 0) break;
    if (at + length > rest.length) return { fault: 'The chunks of the body break off.' };
    pieces.push(rest.subarray(at, at + length));
    at = rest.indexOf('\n', at + length) + 1;
    if (at === 0) return { fault: 'The chunks of the body break off.' };
  }
  const trailers = parseFields(rest.toString('latin1', at));
  return 'fault' in trailers ? trailers : { body: Buffer.concat(pieces), trailers };
}
