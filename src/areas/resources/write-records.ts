/** How a collection is written: its records are created, replaced, changed, removed and brought back. */

import { whenKnown } from '../../base/when-known.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { hasBody } from '../../http/request-body.js';
import type { Services } from '../../kit/area.js';
import { checkOperations, operationMembers, type SentOperation } from './batch.js';
import { checkPatchType } from './check-patch-type.js';
import type { BatchCommand, Rejection } from './command.js';
import { faultyFields } from './faulty-fields.js';
import { strangeMembers } from './heed-strictness.js';
import type { Jobs } from './jobs/jobs.js';
import { parseOperation, parseWrite, type WriteKind } from './parse-write.js';
import type { Resource } from './resource.js';
import { type Kind, type ReadCommand, writeResponder } from './respond-to-write.js';
import type { Write } from './write.js';

/** What it returns is for the framework; schemas of routes have no type for a response. */
type Handler = (request: Request, reply: Reply) => Promise<never>;

const later = ['jobSeconds', 'jobFails'];
const once = [...later, 'requireIdempotency'];

/** By what there is to do. */
export const writeKinds: Readonly<Record<WriteKind | 'batch', Kind>> = {
  create: { isRepeatable: true, takes: once },
  replace: { isRepeatable: false, takes: [...later, 'upsert'] },
  merge: { isRepeatable: true, takes: once },
  patch: { isRepeatable: true, takes: once },
  remove: { isRepeatable: false, takes: [...later, 'purge'] },
  restore: { isRepeatable: true, takes: once },
  batch: { isRepeatable: true, takes: once },
};

export function writeHandlers(resource: Resource, services: Services, jobs: Jobs) {
  const response = writeResponder(resource, services, jobs);

  function handlerFor(kind: Kind, read: ReadCommand): Handler {
    return (request, reply) => response(request, reply, kind, read) as Promise<never>;
  }

  function handlerOf(kind: WriteKind): Handler {
    const read: ReadCommand = (request, options) =>
      whenKnown(parseWrite(kind, resource, request, options), (write) => ({ write }));
    return handlerFor(writeKinds[kind], read);
  }

  const readBatch: ReadCommand = async (request) => {
    const { operations, atomic } = request.body as SentBatch;
    const strange = [
      ...strangeMembers(request, request.body, ['operations', 'atomic']),
      ...operations.flatMap((operation, index) =>
        strangeMembers(request, operation, operationMembers, `operations.${index}.`),
      ),
    ];
    if (strange.length > 0) throw faultyFields(strange);
    checkOperations(operations);
    const read: BatchCommand['operations'][number][] = [];
    for (const operation of operations) read.push(await readOperation(request, operation));
    return { batch: { isAtomic: atomic ?? false, operations: read } };
  };

  /** What is wrong with one of several is its result, or that of all of them in its turn. */
  async function readOperation(
    request: Request,
    operation: SentOperation,
  ): Promise<Write | { readonly refusal: Rejection }> {
    try {
      return await parseOperation(resource, request, operation);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const { status, message, headers, extra } = error;
      return { refusal: { status, message, headers, body: extra } };
    }
  }

  return {
    create: handlerOf('create'),
    replace: handlerOf('replace'),
    change: handlerOf('merge'),
    remove: handlerOf('remove'),
    restore: handlerOf('restore'),
    batch: handlerFor(writeKinds.batch, readBatch),
  };
}

interface SentBatch {
  readonly operations: readonly SentOperation[];
  readonly atomic?: boolean;
}

/** Before the body is read, since what is not accepted need not be parsed. */
export function rejectOtherPatches({ raw, headers }: Request): void {
  if (hasBody(raw)) checkPatchType(headers['content-type']);
}
