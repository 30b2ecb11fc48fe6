/** What is created below a record belongs to it. */

import { gotValue } from '../../../base/text/got-value.js';
import type { Request } from '../../../http/exchange.js';
import type { Resource } from '../built-in/resource.js';
import { faultyFields } from '../source/faulty-fields.js';
import type { Relation } from '../source/relations.js';
import { notFound } from './perform-write.js';

/**
 * Makes a hook that puts the id of the record in the path into the body, before that is validated. It throws 404
 * where there is no such record, and 400 where the body names another one.
 */
export function fillParent(parents: Resource, { field }: Relation) {
  return async (request: Request): Promise<void> => {
    const id = parents.idOf(request);
    const parent = await parents.recordsOf(request).get(id);
    if (parent === undefined) throw notFound(parents, id);
    const { body } = request;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    const sent = (body as Readonly<Record<string, unknown>>)[field];
    if (sent === undefined) request.body = { ...body, [field]: parent.id };
    else if (sent !== parent.id) {
      const message = `${field} must be left out or be ${id}, as in the path${gotValue(field, sent)}.`;
      throw faultyFields([{ field, message }]);
    }
  };
}
