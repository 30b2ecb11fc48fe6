/** The response to a write, made of what it came to. */

import { jsonContentType } from '../../../app/error-handler.js';
import { pictureAddress } from '../../../data/picture-address.js';
import { writeApplied } from '../../../http/body/parse-prefer.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { Services } from '../../../kit/area.js';
import type { Resource } from '../built-in/resource.js';
import type { ResourceRecord } from '../source/record-fields.js';
import { entityTagOf } from '../source/render-record.js';
import type { WriteResult } from '../write/write.js';
import type { Responses } from './send-records.js';

export function sendResult(
  request: Request,
  reply: Reply,
  { status, record, json, lastModified, location, retryAfterSeconds, applied }: WriteResult,
  responses: Responses,
  { baseUrlOf }: Services,
): Reply | Promise<Reply> {
  const said = applied && writeApplied(applied);
  if (said !== undefined) reply.header('preference-applied', said);
  if (location !== undefined) reply.header('location', `${baseUrlOf(request)}${location}`);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (lastModified !== undefined) reply.header('last-modified', lastModified);
  reply.code(status);
  if (json !== undefined) {
    return reply.header('content-type', jsonContentType).send(JSON.stringify(json));
  }
  if (record === undefined) return reply.send();
  reply.header('etag', entityTagOf(record));
  if (applied?.return !== 'minimal') return responses.sendWritten(request, reply, record);
  return reply.code(status === 201 ? 201 : 204).send();
}

/** A record as it is sent, pictures with their addresses. */
export function shownRecord(
  { pictures }: Pick<Resource, 'pictures'>,
  record: ResourceRecord,
  baseUrl: () => string,
): ResourceRecord {
  if (pictures.length === 0) return record;
  const shown: Record<string, unknown> = { ...record };
  for (const name of pictures) {
    const stored = shown[name];
    if (typeof stored === 'string') shown[name] = pictureAddress(baseUrl(), stored);
  }
  return shown as ResourceRecord;
}
