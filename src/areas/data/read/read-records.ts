/** Reads records: a list, one record, a count, and the records that belong to another. */

import { whenKnown } from '#base/awaitable.js';
import { ResponseMemory } from '#http/caching/response-memory.js';
import type { Reply } from '#http/exchange.js';
import { type FieldFault, HttpError, jsonContentType } from '#http/http-error.js';
import { linkHeader, pageUrls, urlsOf } from '#http/page-links.js';
import { jsonFormat, type Paging, plainShape } from '../formats/format.js';
import { bodyOf, chooseFormat, plainList, represent } from '../formats/represent.js';
import {
  faultyFields,
  parameterFault,
  type Query,
  readFlag,
  rejectFaults,
  setStrictApplied,
} from '../source/faults.js';
import type { DataRecord } from '../source/fields.js';
import { recordsBelow } from '../source/relations.js';
import { lastModifiedOf, modifiedTimeOf } from '../source/rendering.js';
import { absence, type Call, type Relation, type Source } from '../source/source.js';
import { isNotModified } from '../write/check-preconditions.js';
import { type ListWindow, listParameters, readListQuery, shapeParameters } from './list-query.js';
import { selectRecords } from './select-records.js';

export interface ListView {
  readonly records: readonly DataRecord[];
  readonly path: string;
  /** Additional parameters, which the view parses itself. */
  readonly alsoAccepted?: readonly string[];
}

/** Longer URLs are rejected, because the links of a page repeat the query four times in one header. */
const maxUrlLength = 3000;

/**
 * Cached pages, keyed by their list, which is a new array after each write. Without the cache, the list of books by
 * genre and price takes 1.4 times the processor time.
 */
const pages = new ResponseMemory<{ body: Buffer; headers: Readonly<Record<string, string>> }>();

export async function sendList(call: Call, view: ListView): Promise<Reply> {
  const { request, reply, query } = call;
  if (request.url.length > maxUrlLength) {
    throw new HttpError(414, `The URL is longer than ${maxUrlLength} characters.`);
  }
  const format = chooseFormat(request);
  const url = `${request.baseUrl}${view.path}`;
  const isWhole = query.fields === undefined && query.embed === undefined;
  if (isWhole && format.offer === jsonFormat) {
    const start = request.url.indexOf('?');
    const key = start < 0 ? url : url + request.url.slice(start);
    const { headers, body } = await pages.get([view.records], key, () =>
      whenKnown(select(call, view, url), ({ records, headers }) => ({
        headers,
        body: plainList(call, records),
      })),
    );
    reply.headers(headers);
    setStrictApplied(reply);
    return reply.header('content-type', jsonContentType).send(body);
  }
  const { records, shape, paging, headers } = await select(call, view, url);
  const shown = { format, shape };
  reply.headers(headers);
  setStrictApplied(reply);
  reply.header('content-type', format.offer.contentTypeOf(format.mediaType));
  return reply.send(await bodyOf(call, records, shown, paging));
}

function select(
  { source, query }: Call,
  { records: all, alsoAccepted = [] }: ListView,
  url: string,
) {
  const listQuery = readListQuery(source, query, [...alsoAccepted, ...listParameters]);
  const { shape, window } = listQuery;
  return whenKnown(selectRecords(all, listQuery), ({ records, total }) => {
    const paging = { total, links: linksOf(url, query, window, total) };
    return { records, shape, paging, headers: pagingHeaders(paging, window) };
  });
}

export async function sendFound(call: Call, record: DataRecord): Promise<Reply> {
  const { request, reply, source, query } = call;
  const format = chooseFormat(request);
  // Other parameters are ignored here.
  const given = Object.entries(query).filter(([name]) => recordParameters.includes(name));
  const { shape } =
    given.length === 0
      ? { shape: plainShape }
      : readListQuery(source, Object.fromEntries(given), shapeParameters);
  const shown = { format, shape };
  const { etag, body } = await represent(call, record, shown);
  const isKnown = isNotModified(request.headers, etag, modifiedTimeOf(record));
  if (!isKnown) reply.header('content-type', format.offer.contentTypeOf(format.mediaType));
  reply.header('etag', etag).header('last-modified', lastModifiedOf(record));
  setStrictApplied(reply);
  return isKnown ? reply.code(304).send() : reply.send(body);
}

const recordParameters: readonly string[] = [...shapeParameters, 'formulas'];

export async function list(asked: Call): Promise<Reply> {
  const call = await asked.forQuery();
  const { source, query } = call;
  const { deleted } = query;
  const id = query[source.idName];
  const isOfTrash = source.keepsTrash && deleted !== undefined;
  const faults: FieldFault[] = [];
  const isDeleted = isOfTrash && readFlag(query, 'deleted', faults);
  rejectFaults(faults);
  let records = await call.read((all) => (isDeleted ? all.listTrash() : all.list()));
  const alsoAccepted = isOfTrash ? ['deleted'] : [];
  if (typeof id === 'string' && id.includes(',')) {
    alsoAccepted.push(source.idName);
    records = pickRecords(source, records, id.split(','));
  }
  return sendList(call, { records, path: source.path, alsoAccepted });
}

export async function count(asked: Call): Promise<{ readonly count: number }> {
  const call = await asked.forQuery();
  const query = readListQuery(call.source, call.query, ['q']);
  const { total } = await selectRecords(await call.read((records) => records.list()), query);
  return { count: total };
}

export async function read(asked: Call): Promise<Reply> {
  const call = await asked.forQuery();
  const { source } = call;
  const id = source.idInPath(call.pathId);
  const found = await call.read((records) => records.get(id));
  if (found !== undefined) return sendFound(call, found);
  const trashed = source.keepsTrash && (await call.read((records) => records.getTrashed(id)));
  throw absence(source, id, trashed || undefined);
}

export async function listBelow(call: Call, relation: Relation): Promise<Reply> {
  const children = await call.to(relation.other).forQuery();
  const { id, records } = await recordsBelow(call, relation);
  const path = `${call.source.path}/${encodeURIComponent(id)}/${relation.segment}`;
  return sendList(children, { records, path });
}

/** Returns the records with these ids, in order; omits unknown ids. */
function pickRecords(
  { parseId, idName }: Source,
  records: readonly DataRecord[],
  ids: readonly string[],
): readonly DataRecord[] {
  // In a URL, ids that are strings and numbers are the same.
  const byId = new Map(records.map((record) => [String(record[idName]), record]));
  const wanted = new Set<string>();
  for (const text of ids) {
    try {
      wanted.add(String(parseId(text.trim())));
    } catch {
      const what = 'must be the ids of records, separated by commas';
      throw faultyFields([parameterFault(idName, what, text)]);
    }
  }
  return [...wanted].flatMap((id) => byId.get(id) ?? []);
}

/** Returns the URLs of other pages by relation; none if the list is complete. They begin with `url`. */
function linksOf(url: string, query: Query, window: ListWindow, total: number): Paging['links'] {
  const { limit, page } = window;
  if (limit === undefined) return {};
  const parameter = page === undefined ? 'offset' : 'page';
  const urlOf = (target: number) => `${url}?${otherParameters(query)}${parameter}=${target}`;
  if (page === undefined) return urlsOf(offsets(window, limit, total), urlOf);
  return pageUrls(page, Math.max(1, Math.ceil(total / limit)), urlOf);
}

function pagingHeaders({ links, total }: Paging, { limit, page }: ListWindow) {
  return {
    'x-total-count': String(total),
    ...(limit !== undefined && {
      link: linkHeader(links),
      'x-per-page': String(limit),
      'x-total-pages': String(Math.ceil(total / limit)),
      ...(page !== undefined && { 'x-page': String(page) }),
    }),
  };
}

function offsets({ offset }: ListWindow, limit: number, total: number): Record<string, number> {
  // Counted from the current offset, so that following the links visits every record once.
  const lastStep = Math.max(0, Math.ceil((total - offset) / limit) - 1);
  return {
    first: 0,
    ...(offset > 0 && { prev: Math.max(0, offset - limit) }),
    ...(offset + limit < total && { next: offset + limit }),
    last: offset < total ? offset + lastStep * limit : Math.max(0, total - limit),
  };
}

function otherParameters(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (name === 'page' || name === 'offset') continue;
    for (const text of [value].flat()) parameters.append(name, text);
  }
  return `${parameters}&`;
}
