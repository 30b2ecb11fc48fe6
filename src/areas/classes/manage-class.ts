/** Creates, finds, changes and ends classes. */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { redact } from '#base/text/redact.js';
import { HttpError } from '#http/http-error.js';
import type { OwnedSandboxes } from '#state/owned-sandboxes.js';
import { classOwner, type Sandbox, type Space, StateFullError } from '#state/state.js';
import {
  type ClassRecord,
  classKey,
  classSpace,
  codesSpace,
  lifeMs,
  type Message,
  messagesSpace,
  noteChange,
} from './class-record.js';
import { boardOf } from './class-sandboxes.js';

const maxClasses = 200;
export const maxClassesOfOwner = 50;

/** 32 letters and digits that do not look alike. */
const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** The classes of the service, by id, in the order of creation. */
const registrySpace: Space<{ readonly owner: string }> = {
  name: 'classes',
  maxKeys: maxClasses,
  isKeptWhenFull: true,
};

export interface OpenClass {
  readonly board: Sandbox;
  readonly record: ClassRecord;
}

/** Creates a class, and returns it with the teacher's key, of which only the hash is stored. */
export async function createClass(
  owned: OwnedSandboxes,
  owner: string,
  name: string,
  nowMs: number,
): Promise<{ readonly record: ClassRecord; readonly teacherKey: string }> {
  const id = randomBytes(6).toString('hex');
  const teacherKey = `ptk_${randomBytes(24).toString('base64url')}`;
  const record: ClassRecord = {
    ...{
      id,
      owner,
      name: redact(name),
      joinCode: readCode(newCode(8)),
      keyHash: hashOf(teacherKey),
    },
    ...{ createdAtMs: nowMs, endsAtMs: nowMs + lifeMs },
    ...{ isFrozen: false, isRankingShown: false, assigned: [] },
    ...{ nextPupil: 1, nextMessage: 1 },
  };
  await register(owned, id, owner);
  await boardOf(owned, record).transact((view) => {
    view.write(classSpace, classKey, record);
    view.write(codesSpace, record.joinCode, true);
  });
  return { record, teacherKey };
}

/** Registers a class. If there are too many, the owner of most classes loses their oldest. */
async function register(owned: OwnedSandboxes, id: string, owner: string): Promise<void> {
  const outcome = await owned.service.transact((view) => {
    const all = view.entries(registrySpace);
    const own = all.filter(([, each]) => each.owner === owner).length;
    if (own >= maxClassesOfOwner) return 'too many of the owner';
    const dropped = all.length < maxClasses ? undefined : oldestOfMost(all, own);
    if (all.length >= maxClasses && dropped === undefined) return 'full';
    if (dropped !== undefined) view.write(registrySpace, dropped, undefined);
    view.write(registrySpace, id, { owner }, { expiresAtMs: view.nowMs + lifeMs });
    return { dropped };
  });
  if (outcome === 'full') throw new StateFullError();
  if (outcome === 'too many of the owner') {
    throw new HttpError(
      409,
      `You have ${maxClassesOfOwner} classes, the limit. DELETE /api/classes/{id} ends one.`,
    );
  }
  if (outcome.dropped !== undefined) await owned.reset(classOwner(outcome.dropped));
}

function oldestOfMost(
  all: readonly (readonly [id: string, of: { readonly owner: string }])[],
  own: number,
): string | undefined {
  const byOwner = new Map<string, string[]>();
  for (const [id, { owner }] of all) byOwner.set(owner, [...(byOwner.get(owner) ?? []), id]);
  const [most] = [...byOwner.values()].sort((one, other) => other.length - one.length);
  return most !== undefined && most.length > own ? most[0] : undefined;
}

/** Returns a class; `undefined` if it is unknown or has ended, which drops what is left of it. */
export async function findClass(
  owned: OwnedSandboxes,
  id: string,
  nowMs: number,
): Promise<OpenClass | undefined> {
  if (!/^[0-9a-f]{12}$/.test(id)) return undefined;
  return openClass(owned, boardOf(owned, { id }), nowMs);
}

/** Returns the class whose board this is, with a board that counts for the owner. */
export async function openClass(
  owned: OwnedSandboxes,
  board: Sandbox,
  nowMs: number,
): Promise<OpenClass | undefined> {
  const record = await board.read(classSpace, classKey);
  if (record === undefined) return undefined;
  if (nowMs < record.endsAtMs) return { board: boardOf(owned, record), record };
  await owned.reset(classOwner(record.id));
  return undefined;
}

export function isTeacherKey({ keyHash }: ClassRecord, key: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(key)), Buffer.from(keyHash));
}

/** Changes a class, and returns the new record; `undefined` if it has just ended. */
export async function changeClass(
  board: Sandbox,
  change: Partial<ClassRecord>,
  nowMs: number,
): Promise<ClassRecord | undefined> {
  return board.transact((view) => {
    const record = view.read(classSpace, classKey);
    if (record === undefined) return undefined;
    const isThawed = record.isFrozen && change.isFrozen === false;
    const changed = { ...record, ...change, ...(isThawed && { thawedAtMs: nowMs }) };
    view.write(classSpace, classKey, changed);
    noteChange(view, null);
    return changed;
  });
}

export async function endClass(owned: OwnedSandboxes, { id }: ClassRecord): Promise<void> {
  await owned.reset(classOwner(id));
  await owned.service.update(registrySpace, id, () => ({ value: undefined, result: undefined }));
}

/** Adds a message to all pupils; the oldest of too many is dropped. */
export async function addMessage(board: Sandbox, text: string, atMs: number): Promise<Message> {
  return board.transact((view) => {
    const record = view.read(classSpace, classKey);
    const id = record?.nextMessage ?? 1;
    if (record !== undefined) view.write(classSpace, classKey, { ...record, nextMessage: id + 1 });
    // A message may quote the address of a pupil.
    const message: Message = { id, text: redact(text), atMs };
    view.write(messagesSpace, String(id), message);
    noteChange(view, null);
    return message;
  });
}

/** Reads a code as people type it: in any letter case, with or without the hyphen. */
export function readCode(text: string): string {
  const letters = lettersOf(text);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Returns the letters and digits of a code in capitals, without spaces and hyphens. */
export const lettersOf = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '');

/** Returns random letters and digits. */
export function newCode(size: number): string {
  const letters = [...randomBytes(size)].map((byte) => codeLetters[byte % codeLetters.length]);
  return letters.join('');
}

function hashOf(key: string): string {
  return hash('sha256', key, 'base64url');
}
