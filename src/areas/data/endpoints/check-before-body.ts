/**
 * Rejects writes by their head and the state before their body is read (RFC 9110 sections 10.1.1 and 13.2.1). The write
 * checks the same again, in one step with its change.
 */

import { checkTypeBeforeBody, isBodyWithheld } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import type { Step } from '#kit/endpoint.js';
import { checkAcceptable } from '../formats/represent.js';
import { parentOf } from '../source/relations.js';
import { absence, type Call, type Handle, type Relation } from '../source/source.js';
import {
  checkAbsence,
  checkFound,
  demandCondition,
  writeConditionsOf,
} from '../write/check-preconditions.js';
import type { CommandKind } from '../write/read-command.js';
import { type Collection, serve } from './collection.js';
import { isRepeatable, keyOf, readWriteOptions } from './write-options.js';

/** Without Expect or conditions, the write itself finds the same errors, with one look-up. */
function isDecidedEarly(request: Request): boolean {
  const { headers } = request;
  return (
    isBodyWithheld(request) ||
    headers['if-match'] !== undefined ||
    headers['if-none-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  );
}

type Checked = Pick<Collection, 'sourceOf' | 'services'>;

function stepOf(of: Checked, check: Handle, ofOther?: Handle): Step {
  const checkCall = serve(of, check, ofOther);
  return (request, reply) => {
    checkAcceptable(request);
    if (!isDecidedEarly(request)) return undefined;
    checkTypeBeforeBody(request);
    return checkCall(request, reply) as ReturnType<Step>;
  };
}

/** Checks the collection and the Idempotency-Key of a new record or a batch. */
export const checkNew = (of: Checked, kind: 'create' | 'batch', ofSingle?: Handle): Step =>
  stepOf(of, (call) => void readKey(call, kind), ofSingle);

/** Checks the record that a PUT replaces, and the conditions of the request. */
export const checkReplaced = (of: Checked): Step => stepOf(of, checkRecord('replace'));

export const checkReplacedSingle = (of: Checked, ofRecords: Handle): Step =>
  stepOf(of, ofRecords, checkRecord('replace'));

/** Checks the record that a patch changes, and the conditions of the request. */
export function patchChecks(of: Checked, ofRecords?: Handle) {
  const [check, checkMalformed] = [checkRecord('merge'), checkRecord('merge', true)];
  const ofMalformed = ofRecords ? serve(of, ofRecords, checkMalformed) : serve(of, checkMalformed);
  return {
    before: ofRecords ? stepOf(of, ofRecords, check) : stepOf(of, check),
    beforeBodyFault: ofMalformed as Step,
  };
}

/** Checks the parent of a new record, and the Idempotency-Key. */
export const checkChild = (of: Checked, relationOf: (call: Call) => Relation): Step =>
  stepOf(of, async (call) => {
    readKey(call, 'create');
    relationOf(call);
    await parentOf(call);
  });

function readKey({ request, query }: Call, kind: CommandKind) {
  const options = readWriteOptions(query, kind);
  return { options, key: isRepeatable(kind) ? keyOf(request, options) : undefined };
}

const checkRecord =
  (kind: 'replace' | 'merge', isMalformed = false): Handle =>
  async (call) => {
    const { source, request, pathId } = call;
    const { options, key } = readKey(call, kind);
    // A repeated request gets the response to the first, which its body decides. A malformed body repeats no request.
    if (key !== undefined && !isMalformed) return;
    const conditions = writeConditionsOf(request.headers);
    if (source.demandsCondition) demandCondition(conditions, options.isUpsert);
    const id = source.idInPath(pathId);
    const [found, trashed] = await call.read(async (records) => [
      await records.get(id),
      await records.getTrashed(id),
    ]);
    if (found !== undefined) checkFound(conditions, found);
    else if (!options.isUpsert || trashed !== undefined) throw absence(source, id, trashed);
    else checkAbsence(conditions);
  };
