/** Serves the requests to `/v1`, in fixed steps. */

import { METHODS } from 'node:http';
import { lazily } from '#base/lazily.js';
import { rootUrl } from '#http/address/sandbox-address.js';
import { mediaType, readWholeBody } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { respondToPreflight } from '#http/preflight.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { sharedSandboxName } from '#state/state.js';
import { declarations, type Type } from './engine/declarations.js';
import { apiVersion, type CallFacts, spaceOf } from './engine/ledger.js';
import { listFields } from './engine/lists.js';
import type { Params } from './engine/objects.js';
import { checkParameters } from './engine/parameters.js';
import { checkVersion } from './engine/versions.js';
import { judgeConfirmation, judgeRequest } from './judge/watch.js';
import { operations, publishable } from './operations.js';
import { meetFailure, observeResult, sendFailure } from './plan/play.js';
import { newSeed, runOperation } from './run.js';
import { invalidRequest, unrecognized } from './wire/errors.js';
import { type Form, parseForm } from './wire/form.js';
import { checkKey, secretKeyRequired } from './wire/keys.js';
import { guideOf, pathOf, requestIdOf } from './wire/request-facts.js';

/** Runs an operation that is no transaction. */
export type Steer = (request: Request, params: Params, id: string) => Promise<object>;

export interface Served {
  /** Such as `customer.create`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, Type>>;
}

/** Returns the operations of all declared objects. */
export const servedOperations = lazily(() =>
  Object.entries(declarations()).flatMap(([type, { operations: declared }]) =>
    Object.entries(declared).map(([operation, { at, params = {} }]): Served => {
      const [method = '', path = ''] = at.split(' ');
      const isList = operation.startsWith('list');
      const fields = { ...params, ...(isList && listFields), expand: ['string'] };
      return { name: `${type}.${operation}`, method, path, fields };
    }),
  ),
);

/** `steered` has the operations that another area carries out. */
export function apiEndpoints(steered: Readonly<Record<string, Steer>>): Endpoint[] {
  const byPath = new Map<string, Served[]>();
  for (const each of servedOperations()) {
    if (operations[each.name] === undefined && steered[each.name] === undefined) continue;
    byPath.set(each.path, [...(byPath.get(each.path) ?? []), each]);
  }
  return [...byPath].map(([path, served]) =>
    endpoint(METHODS, path, {
      hide: true,
      queryFaults: 'none',
      validation: 'own',
      handle(request, reply) {
        if (request.method === 'OPTIONS') return respondToPreflight(request, reply);
        const method = request.method === 'HEAD' ? 'GET' : request.method;
        const found = served.find((each) => each.method === method);
        if (found === undefined) throw unrecognized(method, pathOf(request)).toHttpError();
        return serve(request, reply, found, steered[found.name]);
      },
    }),
  );
}

const maxKeyCharacters = 255;

/** Returns the key by which a POST may be repeated. */
function idempotencyKeyOf({ headers, method }: Request): string | null {
  const sent = headers['idempotency-key'];
  if (method !== 'POST' || sent === undefined || sent === '') return null;
  const key = String(sent);
  if (key.length <= maxKeyCharacters) return key;
  throw invalidRequest(
    `Idempotency keys have at most ${maxKeyCharacters} characters; this one has ${key.length}.`,
  );
}

export function factsOf(request: Request, idempotencyKey: string | null): CallFacts {
  return {
    seed: newSeed(),
    requestId: requestIdOf(request),
    idempotencyKey,
    baseUrl: rootUrl(request.baseUrl, request.raw),
    guide: guideOf(request),
    isShared: request.sandbox.name === sharedSandboxName,
  };
}

async function serve(
  request: Request,
  reply: Reply,
  { name, fields }: Served,
  steer: Steer | undefined,
): Promise<Reply> {
  const { isPublishable } = checkKey(request);
  const { headers, sandbox } = request;
  if (headers['stripe-account'] !== undefined) {
    throw invalidRequest('This service has no connected accounts. Leave out Stripe-Account.');
  }
  checkVersion(headers['stripe-version'] as string | undefined);
  if (isPublishable && !publishable.includes(name)) throw secretKeyRequired().toHttpError();
  const idempotencyKey = idempotencyKeyOf(request);
  const form = await readForm(request);
  await judgeRequest(request, { name, form, idempotencyKey, isPublishable });
  const { expand = [], ...params } = checkParameters(fields, form);
  const { id = '' } = request.params as { readonly id?: string };
  reply.header('stripe-version', apiVersion);
  if (steer !== undefined) {
    return sendJson(reply, 200, JSON.stringify(await steer(request, params, id), null, 2));
  }
  const met = await meetFailure({ request, reply }, { name, params, idempotencyKey });
  if (met && !met.failure.isAfter) return sendFailure(request, reply, met);
  const operate = operations[name];
  if (operate === undefined) throw new Error(`${name} has no operation.`);
  const facts = factsOf(request, idempotencyKey);
  const path = pathOf(request);
  const operation = { name, operate, params, expand, id, path, isPublishable };
  if (name === 'payment_intent.confirm') {
    const intent = await sandbox.read(spaceOf('payment_intent'), id);
    await judgeConfirmation(request, intent?.status === 'requires_action');
  }
  const { status, body, replayOf } = await runOperation(sandbox, operation, facts);
  if (met) return sendFailure(request, reply, met);
  if (request.method === 'POST' && replayOf === undefined) {
    await observeResult(sandbox, { name, params, body, requestId: request.id });
  }
  if (idempotencyKey !== null) reply.header('idempotency-key', idempotencyKey);
  if (replayOf) {
    reply.headers({ 'idempotent-replayed': 'true', 'original-request': replayOf });
  }
  return sendJson(reply, status, body);
}

const sendJson = (reply: Reply, status: number, body: string): Reply =>
  reply.code(status).type('application/json; charset=utf-8').serializer(String).send(body);

/** The parameters of the query and of the body. */
async function readForm(request: Request): Promise<Form> {
  const { url, method, headers } = request;
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start + 1);
  if (method === 'GET' || method === 'HEAD') return parseForm(query);
  const bytes = await readWholeBody(request);
  const type = headers['content-type'];
  if (bytes.length > 0 && mediaType(type) !== 'application/x-www-form-urlencoded') {
    throw invalidRequest(
      `The body of this API is a form: send Content-Type: application/x-www-form-urlencoded.`,
    );
  }
  const body = bytes.toString('utf8');
  return parseForm(query === '' ? body : `${query}&${body}`);
}
