/** Endpoints of pupils: they join, return, and see their own progress. */

import { Type } from 'typebox';
import { notBlankPattern } from '#base/text/text-patterns.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint, secret } from '#kit/endpoint.js';
import { maxWrongOfCaller, maxWrongOfSubject } from '#kit/limits/wrong-codes.js';
import { messageSchema, rankingOf, readMessages } from '../board.js';
import { type ClassRecord, codesSpace, type PupilRecord, pupilsSpace } from '../class-record.js';
import { joinHunt, pupilOf } from '../class-sandboxes.js';
import type { ClassServices } from '../class-services.js';
import { findByCode, type Joined, joinClass } from '../join-class.js';
import { findClass, openClass, readCode } from '../manage-class.js';
import { path } from '../paths.js';
import { labelOf, pupilSchema, pupilViewer, timeOf, withHunts } from '../pupil-row.js';
import { addressOf, noClass } from './teacher-endpoints.js';

/** Wrong join codes of a pupil, an owner or an address that are accepted in a minute. */
const maxWrongJoinCodes = 60;

const membership = {
  pupil: Type.String({ description: 'Number of the pupil in the class.' }),
  name: Type.String(),
  label: Type.String({ description: 'The name on the board, which no other pupil has.' }),
  class: Type.String({ description: 'Name of the class.' }),
  address: Type.String({ description: 'The base URL: `/s/~` and 22 characters.' }),
  endsAt: Type.String(),
};

export const join = (services: ClassServices) =>
  endpoint('POST', `${path}/join`, {
    summary: 'Join a class',
    isOpen: true,
    description: `Returns an address to use as the base URL: it is the pupil's own sandbox, and acts as the pupil. A class has at most 200 pupils; in a full class, one who has never sent a request makes room. After ${maxWrongJoinCodes} wrong codes a minute, further wrong ones get 429; the right code is always accepted.`,
    body: Type.Object(
      {
        joinCode: Type.String({ minLength: 1, maxLength: 40 }),
        name: Type.String({
          minLength: 1,
          maxLength: 40,
          pattern: notBlankPattern,
          description: 'The name that the board shows.',
        }),
      },
      { additionalProperties: false },
    ),
    responses: {
      201: Type.Object(
        {
          ...membership,
          code: Type.String({
            description: 'Six letters and digits with which the pupil returns. Shown once.',
          }),
        },
        { title: 'JoinedClass' },
      ),
      ...failures(404, 409, 429),
    },
    async handle(request, reply) {
      const { owned, clock, sandboxHolding, wrongCodes } = services;
      const { joinCode, name } = request.body;
      const board = await sandboxHolding(codesSpace, readCode(joinCode));
      const found = board && (await openClass(owned, board, clock()));
      if (found === undefined) {
        await wrongCodes.countWrong(request, 'join', maxWrongJoinCodes);
        throw new HttpError(404, 'No class has this join code. Ask the teacher for the code.');
      }
      const { ip } = request;
      const joined = await joinClass(owned, found, { name: name.trim(), ip, nowMs: clock() });
      if (joined === undefined) throw noClass();
      await joinHunt(services, found.board, joined.pupil);
      reply.code(201);
      return { ...membershipOf(request, found.record, joined), code: joined.record.code ?? '' };
    },
  });

function membershipOf(request: Request, ofClass: ClassRecord, { pupil, record }: Joined) {
  return {
    pupil,
    name: record.name,
    label: labelOf([pupil, record]),
    class: ofClass.name,
    address: addressOf(request, record),
    endsAt: timeOf(ofClass.endsAtMs),
  };
}

export const rejoin = (services: ClassServices) =>
  endpoint('POST', `${path}/:code/rejoin`, {
    summary: 'Return to a class as the same pupil',
    isOpen: true,
    description: `Returns the address of the pupil with this code, which POST ${path}/join returned; the teacher can show it again. After ${maxWrongOfCaller} wrong codes a minute of a caller, or ${maxWrongOfSubject} of a class, further wrong ones get 429; the right code is always accepted.`,
    params: { code: secret(Type.String({ description: 'The join code of the class.' })) },
    body: Type.Object(
      {
        code: Type.String({
          minLength: 1,
          maxLength: 20,
          description: 'The own code of the pupil: six letters and digits.',
        }),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Type.Object(membership, { title: 'Membership' }), ...failures(404, 429) },
    async handle(request) {
      const joinCode = readCode(request.params.code);
      const found = await findByCode(services, joinCode, request.body.code, services.clock());
      if (found !== undefined) return membershipOf(request, found.ofClass, found);
      await services.wrongCodes.countWrongOf(request, ['rejoin', joinCode], 'for this class');
      throw new HttpError(
        404,
        'No pupil has this code in a class with this join code. Ask the teacher for both.',
      );
    },
  });

/** Returns the class and the row of the pupil whose address the request uses. */
async function ownRow({ raw }: Request, { owned, clock }: ClassServices) {
  const known = raw.sandboxAddress?.pupil && pupilOf(raw.sandboxAddress.pupil.sandbox);
  if (known === undefined) {
    throw new HttpError(
      403,
      'Only pupils of a class have this: send the request below the address that POST /api/classes/join returned.',
    );
  }
  const found = await findClass(owned, known.id, clock());
  const record = await found?.board.read(pupilsSpace, known.pupil);
  if (found === undefined || record === undefined) throw noClass();
  return { ...found, pupil: known.pupil, row: record };
}

export const getMe = (services: ClassServices) =>
  endpoint('GET', `${path}/me`, {
    summary: 'Get the own progress in the class',
    isOpen: true,
    description: 'Below the address of a pupil.',
    responses: {
      200: Type.Object(
        {
          ...pupilSchema.properties,
          class: Type.Object({
            name: Type.String(),
            endsAt: Type.String(),
            frozen: Type.Boolean({ description: 'Nothing counts while it is true.' }),
            ranking: Type.Boolean({ description: 'Whether pupils see the ranking.' }),
          }),
          assigned: Type.Array(
            Type.Object({ id: Type.String(), title: Type.String(), solved: Type.Boolean() }),
          ),
          next: Type.Unsafe<object | null>({
            type: ['object', 'null'],
            description: 'In work, or assigned: `{id, title, goal, started}`.',
          }),
          messages: Type.Array(messageSchema, { description: 'From the teacher, oldest first.' }),
        },
        { title: 'OwnProgress' },
      ),
      ...failures(403, 404),
    },
    async handle(request) {
      const { board, record, pupil, row } = await ownRow(request, services);
      const [shown = [pupil, row] as const] = await withHunts([[pupil, row]], { record }, services);
      const titles = new Map(services.challenges?.list.map(({ id, title }) => [id, title]));
      return {
        ...pupilViewer(services, record)(shown),
        class: {
          name: record.name,
          endsAt: timeOf(record.endsAtMs),
          frozen: record.isFrozen,
          ranking: record.isRankingShown,
        },
        assigned: record.assigned.map((id) => ({
          id,
          title: titles.get(id) ?? id,
          solved: row.solved[id] !== undefined,
        })),
        next: nextOf(row, record, services),
        messages: await readMessages(board),
      };
    },
  });

function nextOf(
  { solved, current }: PupilRecord,
  { assigned }: ClassRecord,
  { challenges }: ClassServices,
) {
  const nextId = current?.id ?? assigned.find((id) => solved[id] === undefined);
  const next = challenges?.list.find(({ id }) => id === nextId);
  if (next === undefined) return null;
  const { id, title, goal } = next;
  return { id, title, goal, started: current !== undefined };
}

export const getRanking = (services: ClassServices) =>
  endpoint('GET', `${path}/ranking`, {
    summary: 'Get the ranking of the class',
    isOpen: true,
    description: 'Below the address of a pupil, if the teacher shows the ranking; otherwise 403.',
    responses: {
      200: Type.Array(
        Type.Object(
          {
            rank: Type.Integer(),
            name: Type.String({ description: 'The label on the board.' }),
            points: Type.Integer(),
            solved: Type.Integer({ description: 'Number of solved challenges.' }),
            isMe: Type.Boolean(),
          },
          { title: 'Ranked' },
        ),
      ),
      ...failures(403, 404),
    },
    async handle(request) {
      const { board, record, pupil } = await ownRow(request, services);
      if (!record.isRankingShown) {
        throw new HttpError(403, 'The teacher does not show the ranking.');
      }
      return rankingOf(await board.entries(pupilsSpace), services).map(
        ({ pupil: other, ...ranked }) => ({ ...ranked, isMe: other === pupil }),
      );
    },
  });
