/** Single resources of one's own: objects that are no part of a list, such as a profile. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../../server/area.js';
import { noteModified } from '../../../state/collection.js';
import { applyMergePatch } from '../apply-merge-patch.js';
import { checkWrite, isNotModified, writeConditionsOf } from '../check-preconditions.js';
import { faultyFields } from '../faulty-fields.js';
import type { ResourceRecord } from '../record-fields.js';
import { entityTagOf, modifiedTimeOf } from '../render-record.js';
import type { Resource } from '../resource.js';
import { answersOf } from '../send-records.js';
import { fieldsOf, ownPath, recordFaults } from './own-resource.js';
import type { OwnSource } from './own-source.js';
import { readSingle, writeSingle } from './own-store.js';
import type { OwnObject } from './read-own-data.js';

export type SingleHandler<Answer> = (
  source: OwnSource,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Answer>;

export function singleHandlers(services: Services) {
  const { sandboxOf } = services;

  async function write(
    source: OwnSource,
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
    make: (before: OwnObject, sent: OwnObject) => OwnObject,
  ): Promise<FastifyReply> {
    const { body, validationError } = request;
    if (validationError !== undefined) throw validationError;
    const after = await writeSingle(sandboxOf(request), source, name, (before) => {
      const made = make(before, body as OwnObject);
      const faults = [...recordFaults(made), ...source.model.check(name, made)];
      if (faults.length > 0) throw faultyFields(faults);
      const found = before as ResourceRecord;
      const conditions = writeConditionsOf(request.headers);
      checkWrite(
        conditions,
        () => entityTagOf(found),
        () => modifiedTimeOf(found),
      );
      return made;
    });
    return send(source, name, request, reply, after);
  }

  async function send(
    source: OwnSource,
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
    value: OwnObject,
    isKnown?: (etag: string) => boolean,
  ): Promise<FastifyReply> {
    const answers = answersOf(singleResource(source, name), services);
    return answers.sendOne(request, reply, named(value, name), undefined, isKnown);
  }

  return {
    async read(source: OwnSource, name: string, request: FastifyRequest, reply: FastifyReply) {
      const found = await readSingle(sandboxOf(request), source, name);
      const modifiedMs = () => modifiedTimeOf(found as ResourceRecord);
      return send(source, name, request, reply, found, (etag) =>
        isNotModified(request.headers, etag, modifiedMs),
      );
    },

    replace(source: OwnSource, name: string, request: FastifyRequest, reply: FastifyReply) {
      return write(source, name, request, reply, (_before, sent) => sent);
    },

    change(source: OwnSource, name: string, request: FastifyRequest, reply: FastifyReply) {
      return write(
        source,
        name,
        request,
        reply,
        (before, sent) => applyMergePatch(before, sent) as OwnObject,
      );
    },
  };
}

/** As much of a collection as it takes to write a record of it in any format. */
function singleResource({ model }: OwnSource, name: string): Resource {
  const { fieldNames, parameters } = fieldsOf(model.shapeOf(name));
  const isOwn = (field: string) => field !== 'id' || model.shapeOf(name).properties.has('id');
  const nothing = () => {
    throw new Error(`${name} is no collection.`);
  };
  return {
    name,
    noun: name,
    path: ownPath(name),
    fieldNames: fieldNames.filter(isOwn),
    parameters: { ...parameters, fields: parameters.fields.filter((each) => isOwn(each.name)) },
    relations: () => [],
    pictures: [],
    demandsCondition: false,
    keepsTrash: false,
    sandboxOf: nothing,
    recordsOf: nothing,
    rowsIn: nothing,
    feedName: nothing,
    idOf: nothing,
    parseId: nothing,
    checkNewId: nothing,
    bodyFaults: nothing,
    referenceFaults: () => [],
    check: nothing,
  };
}

/** What is answered, by what is kept. */
const namedObjects = new WeakMap<OwnObject, ResourceRecord>();

/** Formats that name what they write take its name, which is no member of it. */
function named(value: OwnObject, name: string): ResourceRecord {
  const known = namedObjects.get(value);
  if (known !== undefined) return known;
  const record = { ...value } as ResourceRecord;
  if (!Object.hasOwn(record, 'id')) Object.defineProperty(record, 'id', { value: name });
  noteModified(record, modifiedTimeOf(value as ResourceRecord));
  namedObjects.set(value, record);
  return record;
}
