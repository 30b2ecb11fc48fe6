/** How a collection is read: its list, one record, how many there are, and what views are made of. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../server/area.js';
import { HttpError } from '../../server/http-error.js';
import { type AnswerShape, plainShape, shapeParameters } from './answer-shape.js';
import { isNotModified } from './check-preconditions.js';
import type { Views } from './declare-collection.js';
import { refuseUnacceptable } from './formats/choose-format.js';
import { pageLinks, pagingHeaders } from './paging-headers.js';
import { listTakes, type Query, readListQuery } from './read-list-query.js';
import type { RecordId } from './record-fields.js';
import type { Relation } from './relations.js';
import type { Resource } from './resource.js';
import { selectRecords } from './select-records.js';
import { answersOf } from './send-records.js';

/** Longer addresses are refused: the links of a page repeat the query four times in one header. */
const maxAddressLength = 3000;

export function readHandlers(resource: Resource, services: Services) {
  const { path, recordsOf, idOf } = resource;
  const answers = answersOf(resource, services);

  const all: Views['all'] = async (request) => recordsOf(request).list();

  const sendList: Views['sendList'] = async (request, reply, view) => {
    checkAddress(request);
    // Views are reached by routes of their own.
    await refuseUnacceptable(request);
    const query = request.query as Query;
    const listQuery = readListQuery(resource, query, [...(view.alsoTaken ?? []), ...listTakes]);
    const { records, total } = selectRecords(view.records, listQuery);
    const url = `${services.baseUrlOf(request)}${view.path}`;
    const links = pageLinks(url, query, listQuery.window, total);
    reply.headers(pagingHeaders(links, listQuery.window, total));
    return answers.sendList(request, reply, records, listQuery.shape, () => ({ total, links }));
  };

  const sendRecord: Views['sendRecord'] = async (request, reply, found) => {
    return answers.sendOne(request, reply, found, shapeIn(request), (etag) =>
      isNotModified(request.headers, etag),
    );
  };

  /** What one record is read with; other parameters mean nothing here. */
  function shapeIn({ query }: FastifyRequest): AnswerShape {
    const { fields, embed } = query as Query;
    if (fields === undefined && embed === undefined) return plainShape;
    const given = {
      ...(fields !== undefined && { fields }),
      ...(embed !== undefined && { embed }),
    };
    return readListQuery(resource, given, shapeParameters).shape;
  }

  async function list(request: FastifyRequest, reply: FastifyReply) {
    return sendList(request, reply, { records: await recordsOf(request).list(), path });
  }

  async function count(request: FastifyRequest) {
    const query = readListQuery(resource, request.query as Query, ['q']);
    return { count: selectRecords(await recordsOf(request).list(), query).total };
  }

  async function read(request: FastifyRequest, reply: FastifyReply) {
    const id = idOf(request);
    const found = await recordsOf(request).get(id);
    if (found === undefined) throw notFound(resource, id);
    return sendRecord(request, reply, found);
  }

  /** The records that belong to the one in the path, by a relation of its collection to this one. */
  function listBelow(parents: Resource, { field, segment }: Relation) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const id = parents.idOf(request);
      if ((await parents.recordsOf(request).get(id)) === undefined) throw notFound(parents, id);
      const records = (await recordsOf(request).list()).filter((each) => each[field] === id);
      const below = `${parents.path}/${encodeURIComponent(id)}/${segment}`;
      return sendList(request, reply, { records, path: below });
    };
  }

  return { list, count, read, all, sendList, sendRecord, listBelow };
}

export function notFound({ noun, path }: Resource, id: RecordId): HttpError {
  return new HttpError(404, `There is no ${noun} ${id}. GET ${path} lists those there are.`);
}

function checkAddress({ url }: FastifyRequest): void {
  if (url.length <= maxAddressLength) return;
  throw new HttpError(414, `The address is longer than ${maxAddressLength} characters.`);
}
