/** Records as the body of a response: in the format that is asked for, of a bounded size. */

import { hash } from 'node:crypto';
import { turns } from '../../../base/work-in-turns.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Resource } from '../built-in/resource.js';
import type { Query } from '../read/read-list-query.js';
import { formulasParameter, plainShape, type ResponseShape } from '../read/response-shape.js';
import type { ResourceRecord } from '../source/record-fields.js';
import { type Related, type Relation, relatedBy } from '../source/relations.js';
import {
  entityTagOf,
  renderRecord,
  renderRecords,
  stateHashOf,
  storedJson,
} from '../source/render-record.js';
import { chooseFormat } from './choose-format.js';
import type { Format, FormatContext, Paging } from './format.js';
import { jsonFormat } from './json.js';

/** No response is larger. */
export const maxResponseBytes = 8 * 1024 * 1024;

/** The handlers that return records of a collection. */
export interface Responses {
  /** With the entity tag of the record as it is returned; `isKnown` says who has it already. */
  readonly sendOne: (
    request: Request,
    reply: Reply,
    record: ResourceRecord,
    shape?: ResponseShape,
    isKnown?: (etag: string) => boolean,
  ) => Reply | Promise<Reply>;
  /** The same of a record as a write made it, which is shown as it was stored. */
  readonly sendWritten: (
    request: Request,
    reply: Reply,
    record: ResourceRecord,
  ) => Reply | Promise<Reply>;
  /** Whether the answer to a list is as it is made by {@link writeList}. */
  readonly isPlainList: (request: Request) => boolean;
  /** As JSON, whole. */
  readonly writeList: (request: Request, records: readonly ResourceRecord[]) => string;
  readonly sendList: (
    request: Request,
    reply: Reply,
    records: readonly ResourceRecord[],
    shape: ResponseShape,
    pagingOf: () => Paging,
  ) => Promise<Reply>;
}

export function responsesOf(resource: Resource, { baseUrlOf }: Services): Responses {
  const { pictures } = resource;
  // Who holds no address need not know it.
  const originFor = (request: Request) => (pictures.length === 0 ? '' : baseUrlOf(request));

  async function contextOf(request: Request, shape: ResponseShape): Promise<FormatContext> {
    const related = new Map<Relation, Related>();
    for (const relation of shape.embeds) related.set(relation, await relatedBy(relation, request));
    const baseUrl = baseUrlOf(request);
    return { resource, shape, related, baseUrl, self: baseUrl + request.url };
  }

  async function sendShaped(
    request: Request,
    reply: Reply,
    record: ResourceRecord,
    shape: ResponseShape,
    format: Format,
    isKnown: (etag: string) => boolean,
  ): Promise<Reply> {
    const context = await contextOf(request, shape);
    const text = await joined(format.writeOne(context, record));
    const etag = tagOfVariant(record, format, shape === plainShape ? undefined : text);
    reply.header('etag', etag);
    return isKnown(etag) ? sendNothing(reply) : reply.send(bytesOf(text));
  }

  function sendOne(
    request: Request,
    reply: Reply,
    record: ResourceRecord,
    shape: ResponseShape = plainShape,
    isKnown: (etag: string) => boolean = () => false,
  ): Reply | Promise<Reply> {
    const { offer: format, mediaType } = chooseFormat(request);
    reply.header('content-type', format.contentTypeOf(mediaType));
    if (shape !== plainShape || format !== jsonFormat) {
      return sendShaped(request, reply, record, shape, format, isKnown);
    }
    const etag = entityTagOf(record);
    reply.header('etag', etag);
    if (isKnown(etag)) return sendNothing(reply);
    return reply.send(renderRecord(record, pictures, originFor(request)));
  }

  return {
    sendOne,

    sendWritten(request, reply, record) {
      // Its JSON is what was stored; other formats would show numbers that are not written there, such as -0.
      if (chooseFormat(request).offer === jsonFormat) return sendOne(request, reply, record);
      const { [formulasParameter]: formulas } = request.query as Query;
      const shape = formulas === 'escape' ? { ...plainShape, escapesFormulas: true } : plainShape;
      return sendOne(request, reply, JSON.parse(storedJson(record)), shape);
    },

    isPlainList(request) {
      const { fields, embed } = request.query as Query;
      return (
        fields === undefined && embed === undefined && chooseFormat(request).offer === jsonFormat
      );
    },

    writeList: (request, records) =>
      renderRecords(records, pictures, originFor(request), checkTexts),

    async sendList(request, reply, records, shape, pagingOf) {
      const { offer: format, mediaType } = chooseFormat(request);
      reply.header('content-type', format.contentTypeOf(mediaType));
      const context = await contextOf(request, shape);
      return reply.send(bytesOf(await joined(format.writeList(context, records, pagingOf()))));
    },
  };
}

/**
 * A strong entity tag of a record in another form than its JSON. It begins as that of the record, so that a write on
 * condition of it knows which state its client has seen.
 */
function tagOfVariant(
  record: ResourceRecord,
  { name }: Format,
  shapedText: string | undefined,
): string {
  const shaped =
    shapedText === undefined ? '' : `.${hash('sha256', shapedText, 'base64url').slice(0, 12)}`;
  return `"${stateHashOf(record)}.${name}${shaped}"`;
}

/** Puts a response together, and lets others have their turn in between. */
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

/** Before texts are put together. A character takes three bytes at most. */
function checkTexts(texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  if (length * 3 <= maxResponseBytes) return;
  checkBytes(texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0));
}

function checkBytes(bytes: number): void {
  if (bytes <= maxResponseBytes) return;
  throw new HttpError(
    400,
    `The response would be larger than ${maxResponseBytes} bytes. Ask for fewer records with limit, or for less of each with fields and without embed.`,
  );
}

/** The framework would add a charset to the type of a text with JSON in it, which JSON:API forbids. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text);
}

function sendNothing(reply: Reply): Reply {
  return reply.removeHeader('content-type').code(304).send();
}
