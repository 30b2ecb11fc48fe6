/** The list of formats, content negotiation among them, and response bodies of limited size. */

import { hash } from 'node:crypto';
import { turns } from '#base/work-in-turns.js';
import type { Request } from '#http/exchange.js';
import { parsePrefer } from '#http/headers/parse-prefer.js';
import { HttpError } from '#http/http-error.js';
import { type Chosen, negotiateType, notAcceptable } from '#http/negotiation/negotiate-type.js';
import { readPreferences } from '#http/negotiation/read-preferences.js';
import { maxResponseBytes } from '#http/sending/max-response-bytes.js';
import type { DataRecord } from '../source/fields.js';
import { relatedBy } from '../source/relations.js';
import { type Rendering, renderingOf } from '../source/rendering.js';
import type { Call, Related, Relation } from '../source/source.js';
import { csvFormat } from './csv.js';
import {
  type Format,
  isPlain,
  jsonFormat,
  ndjsonFormat,
  type Paging,
  type ResponseShape,
  xmlFormat,
  yamlFormat,
} from './format.js';
import { jsonApiFormat } from './json-api.js';

/** In order of preference for equal weights. */
export const formats: readonly Format[] = [
  jsonFormat,
  csvFormat,
  xmlFormat,
  yamlFormat,
  ndjsonFormat,
  jsonApiFormat,
];

/** Throws 406 for strict clients that accept no supported format, before anything is written. */
export function checkAcceptable(request: Request): void {
  if (request.headers.prefer !== undefined) chooseFormat(request);
}

const json: Chosen<Format> = { offer: jsonFormat, mediaType: 'application/json', weight: 1 };

/**
 * Returns JSON for browsers, and if no supported format is accepted (RFC 9110 section 12.4.1), unless a client is
 * strict.
 */
export function chooseFormat({ headers: { accept, prefer } }: Request): Chosen<Format> {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return json;
  const chosen = negotiateType(accept, formats);
  if (chosen !== undefined) {
    const weightOfPage = readPreferences(accept).get('text/html') ?? 0;
    return weightOfPage > chosen.weight ? json : chosen;
  }
  if (parsePrefer(Array.isArray(prefer) ? prefer.join(', ') : prefer).handling !== 'strict') {
    return json;
  }
  const available = formats.flatMap(({ types }) => types);
  throw notAcceptable('Accept rejects all supported formats.', available);
}

export interface View {
  readonly format: Chosen<Format>;
  readonly shape: ResponseShape;
}

/**
 * Writes a record with its entity tag. All formats share the beginning of the tag, which is enough for the condition of
 * a write.
 */
export async function represent(
  call: Call,
  record: DataRecord,
  view: View,
  rendering: Rendering = renderingOf(record),
): Promise<{ readonly etag: string; readonly body: string | Buffer }> {
  const { shape } = view;
  const { offer } = view.format;
  if (isPlain(shape) && offer === jsonFormat) {
    const { pictures } = call.source;
    // A record without images needs no base URL.
    const baseUrl = pictures.length === 0 ? '' : call.request.baseUrl;
    return { etag: rendering.entityTag, body: rendering.withPictures(pictures, baseUrl) };
  }
  const body = await bodyOf(call, [record], view);
  const shaped = isPlain(shape) ? '' : `.${hash('sha256', body, 'base64url').slice(0, 12)}`;
  return { etag: `"${rendering.stateHash}.${offer.name}${shaped}"`, body };
}

/** Serializes a list, or without paging one record, to bytes, because the framework would add a charset to text. */
export async function bodyOf(
  call: Call,
  records: readonly DataRecord[],
  { format: { offer }, shape }: View,
  paging?: Paging,
): Promise<Buffer> {
  const { source, request } = call;
  const { baseUrl } = request;
  const related = new Map<Relation, Related>();
  for (const relation of shape.embeds) related.set(relation, await relatedBy(relation, call));
  const context = { source, shape, related, baseUrl, self: baseUrl + request.url };
  return Buffer.from(await joined(offer.write(context, records, paging)));
}

/** Serializes records as JSON synchronously. Throws 400 beyond the size limit. */
export function plainList({ source, request }: Call, records: readonly DataRecord[]): Buffer {
  const { baseUrl } = request;
  const texts = records.map((each) => renderingOf(each).withPictures(source.pictures, baseUrl));
  // A text has at least as many bytes as characters.
  checkBytes(texts.reduce((sum, { length }) => sum + length + 1, 0));
  const body = Buffer.from(`[${texts.join(',')}]`);
  checkBytes(body.length);
  return body;
}

/** Joins pieces, with pauses for other requests. */
async function joined(pieces: Iterable<string>): Promise<string> {
  let text = '';
  let bytes = 0;
  for (const piece of pieces) {
    text += piece;
    bytes += Buffer.byteLength(piece);
    checkBytes(bytes);
    if (!turns.hasTime()) await turns.next();
  }
  return text;
}

function checkBytes(bytes: number): void {
  if (bytes <= maxResponseBytes) return;
  const message = `The response would be larger than ${maxResponseBytes} bytes. Request fewer records with limit, or less of each with fields and without embed.`;
  throw new HttpError(400, message);
}
