/** Endpoints of the teacher: the class, its board, its pupils, its messages, its export. */

import { Type } from 'typebox';
import { notBlankPattern } from '#base/text/text-patterns.js';
import { ownerOf } from '#http/address/owner.js';
import { rootUrl } from '#http/address/sandbox-address.js';
import { unauthorized } from '#http/credentials/challenge.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { failures } from '#http/schemas/error-schema.js';
import { location } from '#http/schemas/header-schemas.js';
import { sendEvents } from '#http/sending/event-stream.js';
import { endpoint } from '#kit/endpoint.js';
import { networkUrls } from '#kit/network-urls.js';
import { requestList, sendRequests } from '#kit/recording/list-requests.js';
import {
  boardSchema,
  classFields,
  classSchema,
  classView,
  messageSchema,
  messageView,
  readBoard,
} from '../board.js';
import { boardEvents } from '../board-events.js';
import { type PupilRecord, pupilsSpace } from '../class-record.js';
import { sandboxOfPupil } from '../class-sandboxes.js';
import type { ClassServices } from '../class-services.js';
import { codeOf, removePupil } from '../join-class.js';
import {
  addMessage,
  changeClass,
  createClass,
  endClass,
  findClass,
  isTeacherKey,
  maxClassesOfOwner,
  type OpenClass,
} from '../manage-class.js';
import { path, teacherKeyName } from '../paths.js';
import { pupilSchema, pupilViewer, withHunts } from '../pupil-row.js';
import { resetPupils } from '../pupils.js';

export const ofClass = `${path}/:id`;
const ofPupil = `${ofClass}/pupils/:pupil`;

/** The teacher's key is sufficient, also where accounts are required. */
export const ofTeacher = { security: [{ [teacherKeyName]: [] }], isOpen: true } as const;

const params = { id: Type.String() };
const pupilParams = { ...params, pupil: Type.String() };

const className = Type.String({ minLength: 1, maxLength: 100, pattern: notBlankPattern });

/** Returns the class of a request with its teacher's key. */
export async function classOf(
  request: Request<{ Params: { id: string } }>,
  { owned, clock }: ClassServices,
): Promise<OpenClass> {
  const key = sentKey(request);
  const found = await findClass(owned, request.params.id, clock());
  if (found === undefined) throw noClass();
  if (key !== undefined && isTeacherKey(found.record, key)) return found;
  throw unauthorized(
    key === undefined
      ? "Send the teacher's key as X-Teacher-Key or as a bearer token; POST /api/classes returned it."
      : 'The key is wrong for this class.',
    'Bearer realm="class"',
  );
}

function sentKey({ headers }: Request): string | undefined {
  const own = headers['x-teacher-key'];
  if (typeof own === 'string') return own;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function noClass(): HttpError {
  return new HttpError(404, 'There is no such class: it has ended, was deleted, or never existed.');
}

/** The addresses of the service for other machines. */
function addressesOf({ config, listeners }: ClassServices): readonly string[] {
  if (config.baseUrl !== undefined) return [config.baseUrl];
  const port = listeners().find(({ scheme }) => scheme === 'http')?.port ?? config.port;
  return networkUrls(config.host, port).map(({ url }) => url);
}

async function pupilIn({ board }: OpenClass, pupil: string): Promise<PupilRecord> {
  const record = await board.read(pupilsSpace, pupil);
  if (record !== undefined) return record;
  throw noPupil(pupil);
}

const noPupil = (pupil: string) =>
  new HttpError(404, `The class has no pupil ${pupil.slice(0, 20)}.`);

export const postClass = (services: ClassServices) =>
  endpoint('POST', path, {
    summary: 'Create a class',
    description: `Returns the code with which pupils join, and the key of the teacher, which is not shown again. A class ends after 30 days. An address or account has at most ${maxClassesOfOwner}, and what their pupils hold counts for its share: if others need room, the owner who holds the most loses sandboxes, and boards last. Where accounts are required, this needs the key of an account.`,
    body: Type.Object({ name: className }, { additionalProperties: false }),
    responses: {
      201: Type.Object(
        { ...classFields, teacherKey: Type.String({ description: 'Shown once.' }) },
        { title: 'NewClass' },
      ),
      ...failures(403, 409),
    },
    responseHeaders: { 201: location },
    before: rejectPupils,
    async handle(request, reply) {
      const { owned, clock } = services;
      const { name } = request.body;
      const { record, teacherKey } = await createClass(owned, ownerOf(request).name, name, clock());
      reply.code(201).header('location', `${request.baseUrl}${path}/${record.id}`);
      return { ...classView(record, addressesOf(services)), teacherKey };
    },
  });

/** Otherwise each pupil could have as many classes as an account. */
function rejectPupils({ raw }: Request): void {
  if (raw.sandboxAddress?.pupil === undefined) return;
  throw new HttpError(403, 'Pupils cannot create classes. Send the request to the service itself.');
}

export const getBoard = (services: ClassServices) =>
  endpoint('GET', ofClass, {
    summary: 'Get the board of a class',
    ...ofTeacher,
    params,
    responses: { 200: boardSchema, ...failures(404) },
    async handle(request) {
      const found = await classOf(request, services);
      return readBoard(found, services, addressesOf(services));
    },
  });

export const streamBoard = (services: ClassServices) =>
  endpoint('GET', `${ofClass}/events`, {
    summary: 'Stream the board of a class',
    description:
      'Server-Sent Events: `board` with the whole board first, then `pupil` with each row that changed, `removed`, `summary` with `{firsts, stuck}`, `class` with the class and its messages, and `ended`.',
    ...ofTeacher,
    params,
    responses: {
      200: bytesOf('text/event-stream'),
      ...failures(404),
    },
    responseHeaders: { 200: { 'X-Accel-Buffering': Type.Literal('no') } },
    async handle(request, reply) {
      const found = await classOf(request, services);
      const { owned, challenges, huntsOf, clock } = services;
      const needs = { owned, challenges, huntsOf, clock, addresses: addressesOf(services) };
      return sendEvents(request, reply, services.held, ({ signal }) =>
        boardEvents(found, needs, signal),
      );
    },
  });

export const patchClass = (services: ClassServices) =>
  endpoint('PATCH', ofClass, {
    summary: 'Change a class: frozen, assigned, ranking',
    description: 'While a class is frozen, requests get the usual responses, and nothing counts.',
    ...ofTeacher,
    params,
    body: Type.Object(
      {
        frozen: Type.Optional(Type.Boolean()),
        ranking: Type.Optional(Type.Boolean()),
        assigned: Type.Optional(
          Type.Array(Type.String(), { maxItems: 200, description: 'Ids of challenges.' }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: classSchema, ...failures(404) },
    async handle(request) {
      const { board } = await classOf(request, services);
      const { frozen, ranking, assigned } = request.body;
      const change = {
        ...(frozen !== undefined && { isFrozen: frozen }),
        ...(ranking !== undefined && { isRankingShown: ranking }),
        ...(assigned !== undefined && { assigned: knownIds(assigned, services) }),
      };
      const changed = await changeClass(board, change, services.clock());
      if (changed === undefined) throw noClass();
      return classView(changed, addressesOf(services));
    },
  });

function knownIds(ids: readonly string[], { challenges }: ClassServices): readonly string[] {
  const known = new Set(challenges?.list.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return [...new Set(ids)];
  throw new HttpError(
    400,
    `assigned names the unknown challenge "${unknown.slice(0, 60)}". GET /api/challenges lists all.`,
  );
}

export const deleteClass = (services: ClassServices) =>
  endpoint('DELETE', ofClass, {
    summary: 'End a class',
    description: 'Deletes it with the sandboxes of its pupils.',
    ...ofTeacher,
    params,
    responses: { 204: Type.Null(), ...failures(404) },
    async handle(request, reply) {
      const { record } = await classOf(request, services);
      await endClass(services.owned, record);
      return reply.code(204).send(null);
    },
  });

export const getPupil = (services: ClassServices) =>
  endpoint('GET', ofPupil, {
    summary: 'Get a pupil, with the address and the code',
    description: 'For pupils who have lost both. Each of them acts as the pupil.',
    ...ofTeacher,
    params: pupilParams,
    responses: {
      200: Type.Object(
        {
          ...pupilSchema.properties,
          address: Type.String(),
          code: Type.String({ description: 'The code with which the pupil returns.' }),
        },
        { title: 'PupilWithAddress' },
      ),
      ...failures(404),
    },
    async handle(request) {
      const found = await classOf(request, services);
      const { pupil } = request.params;
      const record = await pupilIn(found, pupil);
      const code = record.code ?? (await codeOf(found.board, pupil));
      if (code === undefined) throw noPupil(pupil);
      const [row = [pupil, record] as const] = await withHunts([[pupil, record]], found, services);
      return {
        ...pupilViewer(services, found.record)(row),
        address: addressOf(request, record),
        code,
      };
    },
  });

export function addressOf(request: Request, { secret }: Pick<PupilRecord, 'secret'>): string {
  return `${rootUrl(request.baseUrl, request.raw)}/s/~${secret}`;
}

export const deletePupil = (services: ClassServices) =>
  endpoint('DELETE', ofPupil, {
    summary: 'Delete a pupil of a class',
    description: 'The address and the code are unknown from then on.',
    ...ofTeacher,
    params: pupilParams,
    responses: { 204: Type.Null(), ...failures(404) },
    async handle(request, reply) {
      const found = await classOf(request, services);
      const { pupil } = request.params;
      const record = await pupilIn(found, pupil);
      await removePupil(services.owned, found, pupil, record);
      return reply.code(204).send(null);
    },
  });

export const getPupilRequests = (services: ClassServices) =>
  endpoint('GET', `${ofPupil}/requests`, {
    summary: 'List the requests of a pupil',
    description: requestList.description,
    ...ofTeacher,
    params: pupilParams,
    query: requestList.query,
    responses: { 200: requestList.response, ...failures(404) },
    responseHeaders: requestList.responseHeaders,
    async handle(request, reply) {
      const found = await classOf(request, services);
      const { pupil } = request.params;
      await pupilIn(found, pupil);
      const sandbox = sandboxOfPupil(services.owned, found.record, pupil);
      const { since } = request.query;
      return sendRequests(request, reply, { sandbox, since, isPupil: true });
    },
  });

export const postMessage = (services: ClassServices) =>
  endpoint('POST', `${ofClass}/messages`, {
    summary: 'Send a message to all pupils',
    ...ofTeacher,
    params,
    body: Type.Object(
      { text: Type.String({ minLength: 1, maxLength: 500, pattern: notBlankPattern }) },
      { additionalProperties: false },
    ),
    responses: { 201: messageSchema, ...failures(404) },
    async handle(request, reply) {
      const { board } = await classOf(request, services);
      reply.code(201);
      return messageView(await addMessage(board, request.body.text, services.clock()));
    },
  });

const resetSays =
  'Empties their sandboxes with the recorded requests, and what the board shows of them. What hints cost is not given back.';

export const postReset = (services: ClassServices) =>
  endpoint('POST', `${ofClass}/reset`, {
    summary: 'Reset all pupils',
    description: resetSays,
    ...ofTeacher,
    params,
    responses: { 204: Type.Null(), ...failures(404) },
    async handle(request, reply) {
      const found = await classOf(request, services);
      const pupils = (await found.board.entries(pupilsSpace)).map(([pupil]) => pupil);
      await resetPupils(services.owned, found, pupils);
      return reply.code(204).send(null);
    },
  });

export const postPupilReset = (services: ClassServices) =>
  endpoint('POST', `${ofPupil}/reset`, {
    summary: 'Reset a pupil',
    description: resetSays,
    ...ofTeacher,
    params: pupilParams,
    responses: { 204: Type.Null(), ...failures(404) },
    async handle(request, reply) {
      const found = await classOf(request, services);
      const { pupil } = request.params;
      await pupilIn(found, pupil);
      await resetPupils(services.owned, found, [pupil]);
      return reply.code(204).send(null);
    },
  });
