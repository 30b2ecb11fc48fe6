/** Records as the body of a response: in the format that the client asks for, of a bounded size. */

import { hash } from 'node:crypto';
import type { Awaitable } from '../../../base/awaitable.js';
import { turns } from '../../../base/work-in-turns.js';
import type { Reply } from '../../../http/exchange.js';
import { writeApplied } from '../../../http/headers/parse-prefer.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import type { Chosen } from '../../../http/negotiation/negotiate-type.js';
import type { Call } from '../source/call.js';
import { relatedBy } from '../source/relations.js';
import { Rendering, renderingOf } from '../source/render-record.js';
import {
  type DataRecord,
  maxResponseBytes,
  type Related,
  type Relation,
} from '../source/source.js';
import type { WriteResult } from '../write/write.js';
import { chooseFormat } from './choose-format.js';
import {
  type Format,
  type FormatContext,
  type Paging,
  plainShape,
  type ResponseShape,
} from './format.js';
import { jsonFormat } from './json.js';

/** What a response shows, and how. */
export interface View {
  readonly format: Chosen<Format>;
  readonly shape: ResponseShape;
}

/** Whether a view shows records as they are rendered anyway. */
export function isPlain({ format, shape }: View): boolean {
  return shape === plainShape && format.offer === jsonFormat;
}

/** Sends a record with its entity tag, or nothing to a client that has it already, as `isKnown` says. */
export async function sendRecord(
  call: Call,
  record: DataRecord,
  view: View,
  isKnown: (etag: string) => boolean,
): Promise<Reply> {
  const { reply } = call;
  const { offer, mediaType } = view.format;
  reply.header('content-type', offer.contentTypeOf(mediaType));
  const { etag, body } = await represent(call, record, view, renderingOf(record));
  reply.header('etag', etag);
  return isKnown(etag) ? reply.removeHeader('content-type').code(304).send() : reply.send(body);
}

interface Representation {
  readonly etag: string;
  readonly body: string | Buffer;
}

function represent(
  call: Call,
  record: DataRecord,
  view: View,
  rendering: Rendering,
): Awaitable<Representation> {
  const { pictures } = call.source;
  if (!isPlain(view)) return representShaped(call, record, view, rendering);
  // A record without images needs no base URL.
  const baseUrl = pictures.length === 0 ? '' : call.baseUrl;
  return { etag: rendering.entityTag, body: rendering.withPictures(pictures, baseUrl) };
}

/**
 * The entity tag begins as the one of the record, so that a write with it as a condition knows which state the client
 * has seen.
 */
async function representShaped(
  call: Call,
  record: DataRecord,
  { format: { offer }, shape }: View,
  { stateHash }: Rendering,
): Promise<Representation> {
  const text = await joined(offer.writeOne(await contextOf(call, shape), record));
  const shaped = shape === plainShape ? '' : `.${hash('sha256', text, 'base64url').slice(0, 12)}`;
  return { etag: `"${stateHash}.${offer.name}${shaped}"`, body: Buffer.from(text) };
}

/** Sends records in any format. */
export async function sendRecords(
  call: Call,
  records: readonly DataRecord[],
  { format: { offer, mediaType }, shape }: View,
  paging: Paging,
): Promise<Reply> {
  call.reply.header('content-type', offer.contentTypeOf(mediaType));
  const context = await contextOf(call, shape);
  const text = await joined(offer.writeList(context, records, paging));
  // The framework would add a charset to the type of a text with JSON in it, which JSON:API forbids.
  return call.reply.send(Buffer.from(text));
}

/** Writes records as they are in JSON. Throws 400 for too many bytes. */
export function writePlainList(
  { source: { pictures }, baseUrl }: Call,
  records: readonly DataRecord[],
): string {
  const texts = records.map((record) => renderingOf(record).withPictures(pictures, baseUrl));
  // A character takes three bytes at most.
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  if (length * 3 > maxResponseBytes) {
    checkBytes(texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0));
  }
  return `[${texts.join(',')}]`;
}

/** Sends what a write came to. */
export async function sendResult(call: Call, result: WriteResult): Promise<Reply> {
  const { reply } = call;
  const { status, record, json, lastModified, location, retryAfterSeconds, applied } = result;
  const honoured = applied && writeApplied(applied);
  if (honoured !== undefined) reply.header('preference-applied', honoured);
  if (location !== undefined) reply.header('location', `${call.baseUrl}${location}`);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (lastModified !== undefined) reply.header('last-modified', lastModified);
  reply.code(status);
  if (json !== undefined) {
    return reply.header('content-type', jsonContentType).send(JSON.stringify(json));
  }
  if (record === undefined) return reply.send();
  // Most written records are sent once, in this response: their rendering is not kept.
  const rendering = new Rendering(record);
  reply.header('etag', rendering.entityTag);
  if (applied?.return === 'minimal') return reply.code(status === 201 ? 201 : 204).send();
  const format = chooseFormat(call.request);
  reply.header('content-type', format.offer.contentTypeOf(format.mediaType));
  const escapesFormulas = call.query.formulas === 'escape' && format.offer !== jsonFormat;
  const view = { format, shape: escapesFormulas ? { ...plainShape, escapesFormulas } : plainShape };
  // Other formats than JSON would show numbers that are stored in another form, such as -0.
  const stored = isPlain(view) ? record : (JSON.parse(rendering.json) as DataRecord);
  const { etag, body } = await represent(call, stored, view, rendering);
  return reply.header('etag', etag).send(body);
}

async function contextOf(call: Call, shape: ResponseShape): Promise<FormatContext> {
  const related = new Map<Relation, Related>();
  for (const relation of shape.embeds) related.set(relation, await relatedBy(relation, call));
  const { source, baseUrl } = call;
  return { source, shape, related, baseUrl, self: baseUrl + call.request.url };
}

/** Puts a response together, and lets other requests have their turn in between. */
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
  throw new HttpError(
    400,
    `The response would be larger than ${maxResponseBytes} bytes. Ask for fewer records with limit, or for less of each with fields and without embed.`,
  );
}
