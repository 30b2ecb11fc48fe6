/** How a collection is read: its list, one record, how many there are, and what views are made of. */

import { jsonContentType } from '../../../app/error-handler.js';
import { whenKnown } from '../../../base/when-known.js';
import { ResponseMemory } from '../../../http/caching/response-memory.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { ListView, Views } from '../built-in/declare-collection.js';
import type { Resource } from '../built-in/resource.js';
import { checkAcceptable } from '../formats/choose-format.js';
import { responsesOf } from '../formats/send-records.js';
import { sayStrictness } from '../routes/heed-strictness.js';
import { faultyFields } from '../source/faulty-fields.js';
import type { RecordId, ResourceRecord } from '../source/record-fields.js';
import type { Relation } from '../source/relations.js';
import { lastModifiedOf, modifiedTimeOf } from '../source/render-record.js';
import { isNotModified } from '../write/check-preconditions.js';
import { absence, notFound } from '../write/perform-write.js';
import { pageLinks, pagingHeaders } from './paging-headers.js';
import { listTakes, parameterFault, type Query, readListQuery } from './read-list-query.js';
import {
  formulasParameter,
  plainShape,
  type ResponseShape,
  shapeParameters,
} from './response-shape.js';
import { selectRecords } from './select-records.js';

/** Longer addresses are rejected: the links of a page repeat the query four times in one header. */
const maxAddressLength = 3000;

/** Of all collections: their lists are told apart by themselves. */
const lists = new ResponseMemory<{ body: Buffer; headers: Readonly<Record<string, string>> }>();

export function readHandlers(resource: Resource, services: Services) {
  const { path, recordsOf, idOf } = resource;
  const responses = responsesOf(resource, services);

  const all: Views['all'] = async (request) => recordsOf(request).list();

  const sendList: Views['sendList'] = async (request, reply, view) => {
    checkAddress(request);
    // Views are reached by routes of their own.
    checkAcceptable(request);
    const url = `${services.baseUrlOf(request)}${view.path}`;
    if (responses.isPlainList(request)) {
      const made = lists.get([view.records], url + queryOf(request), () =>
        whenKnown(select(request, view, url), ({ records, headers }) => ({
          headers,
          body: Buffer.from(responses.writeList(request, records)),
        })),
      );
      // Most responses are known: an await of each would cost as much as sending a page.
      const { headers, body } = made instanceof Promise ? await made : made;
      reply.headers(headers);
      sayStrictness(request, reply);
      return reply.header('content-type', jsonContentType).send(body);
    }
    const { records, shape, total, links, headers } = await select(request, view, url);
    reply.headers(headers);
    sayStrictness(request, reply);
    return responses.sendList(request, reply, records, shape, () => ({ total, links }));
  };

  /** The part of a view that a request asks for, and the headers that say which. */
  function select(request: Request, view: ListView, url: string) {
    const query = request.query as Query;
    const listQuery = readListQuery(resource, query, [...(view.alsoTaken ?? []), ...listTakes]);
    const { shape, window } = listQuery;
    return whenKnown(selectRecords(view.records, listQuery), ({ records, total }) => {
      const links = pageLinks(url, query, window, total);
      return { records, shape, total, links, headers: pagingHeaders(links, window, total) };
    });
  }

  const sendRecord: Views['sendRecord'] = (request, reply, found) => {
    checkAcceptable(request);
    return responses.sendOne(request, reply, found, shapeIn(request), (etag) => {
      const isKnown = isNotModified(request.headers, etag, () => modifiedTimeOf(found));
      reply.header('last-modified', lastModifiedOf(found));
      sayStrictness(request, reply);
      return isKnown;
    });
  };

  /** What one record is read with; other parameters mean nothing here. */
  function shapeIn({ query }: Request): ResponseShape {
    const { fields, embed, [formulasParameter]: formulas } = query as Query;
    if (fields === undefined && embed === undefined && formulas === undefined) return plainShape;
    const given = {
      ...(fields !== undefined && { fields }),
      ...(embed !== undefined && { embed }),
      ...(formulas !== undefined && { [formulasParameter]: formulas }),
    };
    return readListQuery(resource, given, shapeParameters).shape;
  }

  async function list(request: Request, reply: Reply) {
    const { id, deleted } = request.query as Query;
    const alsoTaken: string[] = [];
    let records: readonly ResourceRecord[];
    if (deleted !== undefined && resource.keepsTrash) {
      alsoTaken.push('deleted');
      records = await (isTrue('deleted', deleted)
        ? recordsOf(request).trash.list()
        : recordsOf(request).list());
    } else {
      records = await recordsOf(request).list();
    }
    if (typeof id === 'string' && id.includes(',')) {
      alsoTaken.push('id');
      records = pickRecords(resource, records, id.split(','));
    }
    return sendList(request, reply, { records, path, alsoTaken });
  }

  async function count(request: Request) {
    const query = readListQuery(resource, request.query as Query, ['q']);
    const { total } = await selectRecords(await recordsOf(request).list(), query);
    return { count: total };
  }

  async function read(request: Request, reply: Reply) {
    const id = idOf(request);
    const found = await recordsOf(request).get(id);
    if (found === undefined) throw await absent(request, id);
    return sendRecord(request, reply, found);
  }

  async function absent(request: Request, id: RecordId): Promise<HttpError> {
    const trashed = resource.keepsTrash ? await recordsOf(request).trash.get(id) : undefined;
    return absence(resource, trashed, id);
  }

  /** The records that belong to the one in the path, by a relation of its collection to this one. */
  function listBelow(parents: Resource, { field, segment }: Relation) {
    return async (request: Request, reply: Reply) => {
      const id = parents.idOf(request);
      const parent = await parents.recordsOf(request).get(id);
      if (parent === undefined) throw notFound(parents, id);
      // The address has ids of any kind as text.
      const records = (await recordsOf(request).list()).filter((each) => each[field] === parent.id);
      const below = `${parents.path}/${encodeURIComponent(id)}/${segment}`;
      return sendList(request, reply, { records, path: below });
    };
  }

  return { list, count, read, all, sendList, sendRecord, listBelow };
}

/** As it was sent, question mark included. */
function queryOf({ url }: Request): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}

function isTrue(name: string, value: Query[string]): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw faultyFields([parameterFault(name, 'must be true or false', value)]);
}

/** The records of these ids in their order; of those that there are none of, nothing. */
function pickRecords(
  { parseId }: Resource,
  records: readonly ResourceRecord[],
  ids: readonly string[],
): readonly ResourceRecord[] {
  // Ids that are texts and numbers have one address.
  const byId = new Map(records.map((record) => [String(record.id), record]));
  const wanted = new Set<string>();
  for (const text of ids) {
    try {
      wanted.add(String(parseId(text.trim())));
    } catch {
      throw faultyFields([
        parameterFault('id', 'must be the ids of records, separated by commas', text),
      ]);
    }
  }
  return [...wanted].flatMap((id) => byId.get(id) ?? []);
}

function checkAddress({ url }: Request): void {
  if (url.length <= maxAddressLength) return;
  throw new HttpError(414, `The address is longer than ${maxAddressLength} characters.`);
}
