/** Pupils join a class, return to it with their own code, and leave it. */

import { randomBytes } from 'node:crypto';
import { addressOwner } from '#base/shares/owner.js';
import { redact } from '#base/text/redact.js';
import { keyOf } from '#http/credentials/secret-text.js';
import type { Sandboxes } from '#kit/services.js';
import type { OwnedSandboxes } from '#state/owned-sandboxes.js';
import type { Sandbox, Transaction } from '#state/state.js';
import {
  type ClassRecord,
  classKey,
  classSpace,
  labelsSpace,
  maxPupils,
  noteChange,
  type PupilRecord,
  pathsSpace,
  pupilCodesSpace,
  pupilsSpace,
} from './class-record.js';
import { sandboxOfPupil } from './class-sandboxes.js';
import { lettersOf, newCode, type OpenClass, openClass } from './manage-class.js';

/** A pupil who has sent no request for this long makes room in a full class. */
const unusedMs = 10 * 60 * 1000;

const codeSize = 6;
/** Number of random codes that are drawn for a pupil: a class has 200 of 2^30. */
const candidates = 4;

export interface Joined {
  readonly pupil: string;
  readonly record: PupilRecord;
}

interface Joining {
  readonly name: string;
  /** Address of the request. */
  readonly ip: string;
  readonly nowMs: number;
}

/**
 * Adds a pupil; `undefined` if the class has just ended. In a full class, a pupil who has sent no request makes room, so
 * that no client fills it by joining. Throws a `CapacityError` if there is none.
 */
export async function joinClass(
  owned: OwnedSandboxes,
  { board, record: ofClass }: OpenClass,
  { name, ip, nowMs }: Joining,
): Promise<Joined | undefined> {
  const secret = randomBytes(16).toString('base64url');
  const from = keyOf(addressOwner(ip));
  const codes = newPupilCodes();
  const joined = await board.transact((view) => {
    const found = view.read(classSpace, classKey);
    if (found === undefined) return undefined;
    const pupil = String(found.nextPupil);
    const row = {
      // Others read the name.
      ...{ name: redact(name), secret, from, joinedAtMs: nowMs },
      ...{ requests: 0, failures: 0, solved: {}, hintCosts: {}, started: [] },
    };
    // Numbers only grow, so a class with lower ones has never been full.
    const left =
      found.nextPupil > maxPupils ? makingRoom(view.entries(pupilsSpace), row) : undefined;
    if (left !== undefined) remove(view, found, ...left);
    const label = freeLabel(view, row.name, pupil);
    const code = freeCode(view, found, codes);
    const record: PupilRecord = { ...row, label, code };
    view.write(classSpace, classKey, { ...found, nextPupil: found.nextPupil + 1 });
    view.write(pupilsSpace, pupil, record);
    view.write(pathsSpace, keyOf(secret), pupil);
    view.write(pupilCodesSpace, keyOfCode(found, code), pupil);
    view.write(labelsSpace, keyOfLabel(label), true);
    noteChange(view, pupil);
    return { pupil, record, left: left?.[0] };
  });
  if (joined?.left !== undefined) await sandboxOfPupil(owned, ofClass, joined.left).reset();
  return joined;
}

/** Returns the name; if another pupil has it, with the number of this pupil. */
function freeLabel(view: Transaction, name: string, pupil: string): string {
  let label = name;
  while (view.read(labelsSpace, keyOfLabel(label)) !== undefined) label += ` (${pupil})`;
  return label;
}

/** Names that people confuse have the same key. */
const keyOfLabel = (label: string) => label.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

// A transaction may run again, so the codes are drawn before it.
const newPupilCodes = () => Array.from({ length: candidates }, () => newCode(codeSize));

function freeCode(view: Transaction, ofClass: ClassRecord, codes: readonly string[]): string {
  const isFree = (code: string) =>
    view.read(pupilCodesSpace, keyOfCode(ofClass, code)) === undefined;
  const code = codes.find(isFree);
  if (code === undefined) throw new Error('Each drawn code belongs to a pupil.');
  return code;
}

const keyOfCode = ({ joinCode }: Pick<ClassRecord, 'joinCode'>, code: string) =>
  keyOf(`${joinCode} ${code}`);

/** Returns the code of a pupil; one of an older version gets a code now. */
export async function codeOf(board: Sandbox, pupil: string): Promise<string | undefined> {
  const codes = newPupilCodes();
  return board.transact((view) => {
    const found = view.read(classSpace, classKey);
    const record = view.read(pupilsSpace, pupil);
    if (found === undefined || record === undefined) return undefined;
    if (record.code !== undefined) return record.code;
    const code = freeCode(view, found, codes);
    view.write(pupilCodesSpace, keyOfCode(found, code), pupil);
    view.write(pupilsSpace, pupil, { ...record, code });
    return code;
  });
}

/**
 * Returns the class and the pupil of a join code and the pupil's own code, in any letter case. One
 * look-up finds both, so a caller cannot tell which of them is wrong.
 */
export async function findByCode(
  { owned, sandboxHolding }: Pick<Sandboxes, 'owned' | 'sandboxHolding'>,
  joinCode: string,
  code: string,
  nowMs: number,
): Promise<(Joined & { readonly ofClass: ClassRecord }) | undefined> {
  const key = keyOfCode({ joinCode }, lettersOf(code));
  const board = await sandboxHolding(pupilCodesSpace, key);
  const found = board && (await openClass(owned, board, nowMs));
  const pupil = await found?.board.read(pupilCodesSpace, key);
  if (found === undefined || pupil === undefined) return undefined;
  const row = await found.board.read(pupilsSpace, pupil);
  return row && { ofClass: found.record, pupil, record: row };
}

type Row = readonly [pupil: string, record: PupilRecord];

/**
 * Returns the pupil who leaves a full class for a new one: of those who have sent no request, the oldest from the
 * address with most pupils, unless the new one's would then have as many, or the oldest who joined long ago.
 */
function makingRoom(rows: readonly Row[], { from, joinedAtMs }: PupilRecord): Row | undefined {
  if (rows.length < maxPupils) return undefined;
  const counts = new Map<string | undefined, number>();
  for (const [, row] of rows) counts.set(row.from, (counts.get(row.from) ?? 0) + 1);
  const countOf = ([, row]: Row) => counts.get(row.from) ?? 0;
  const unused = rows.filter(([, row]) => row.isUsed !== true && row.requests === 0);
  const most = Math.max(0, ...unused.map(countOf));
  if (most > (counts.get(from) ?? 0) + 1) return unused.find((row) => countOf(row) === most);
  return unused.find(([, row]) => joinedAtMs - row.joinedAtMs >= unusedMs);
}

/** Removes a pupil, whose path and code are unknown from then on. */
export async function removePupil(
  owned: OwnedSandboxes,
  { board, record: ofClass }: OpenClass,
  pupil: string,
  record: PupilRecord,
): Promise<void> {
  await board.transact((view) => remove(view, ofClass, pupil, record));
  await sandboxOfPupil(owned, ofClass, pupil).reset();
}

function remove(
  view: Transaction,
  ofClass: ClassRecord,
  pupil: string,
  { secret, code, label }: PupilRecord,
): void {
  view.write(pupilsSpace, pupil, undefined);
  view.write(pathsSpace, keyOf(secret), undefined);
  if (code !== undefined) view.write(pupilCodesSpace, keyOfCode(ofClass, code), undefined);
  if (label !== undefined) view.write(labelsSpace, keyOfLabel(label), undefined);
  noteChange(view, pupil);
}
