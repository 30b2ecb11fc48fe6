/** Writes a record for areas whose clients do so by another protocol, as the REST API does it. */

import { withPictureUrls } from '#data/picture-address.js';
import type { WriteRecord } from '#kit/offers/steering.js';
import type { Sandboxes } from '#kit/services.js';
import { orphanFaults } from '../source/relations.js';
import type { Source } from '../source/source.js';
import { performCommand } from './perform-write.js';
import { readWrite } from './read-command.js';

export const recordWriter =
  (sources: ReadonlyMap<string, Source>, { dueWork }: Sandboxes): WriteRecord =>
  async (sandbox, collection, { kind, id = '', body, ifMatch }, baseUrl) => {
    // Most of these clients have no entity tags.
    const source = { ...(sources.get(collection) as Source), demandsCondition: false };
    const conditions = { 'if-match': ifMatch };
    const write = readWrite(source, kind, body, { id, conditions });
    await dueWork.settle(sandbox);
    const find = (other: Source, wanted: number) => other.recordsIn(sandbox).get(wanted);
    write.faults.push(...(await orphanFaults(source, write.body, find)));
    const { record } = await sandbox.transact((view) =>
      performCommand(view, source, { write }, baseUrl),
    );
    return record && withPictureUrls(record, source.pictures, baseUrl);
  };
