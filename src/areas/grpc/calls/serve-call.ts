/** Serves a method in each of its protocols. */

import type { Message } from '@bufbuild/protobuf';
import type { Reply, Request } from '#http/exchange.js';
import type { HeldRequest } from '#http/held-requests.js';
import { HttpError } from '#http/http-error.js';
import { CallWatch, isJudged } from '../judge/watch.js';
import { asJson } from '../messages/codec.js';
import { writeFailure } from '../messages/failures.js';
import { acceptedTypes, bareForm, type Form, formOf } from '../messages/forms.js';
import { RpcError } from '../messages/rpc-error.js';
import { type Chosen, chooseCase, mayMeet } from '../misbehaviour/choose.js';
import { misbehave, play } from '../misbehaviour/meet.js';
import { Call } from '../model/call.js';
import type { ServedMethod } from '../model/method.js';
import type { GrpcParts } from '../model/parts.js';
import { unknownMethod } from '../services/suggest-method.js';
import { dropRest, readMany, readOne } from './read-messages.js';
import { failureOf, respondFailed, respondMany, respondOnce } from './respond.js';

type Handle = (request: Request, reply: Reply) => Promise<Reply> | Reply;

export function serveMethod(method: ServedMethod, parts: GrpcParts): Handle {
  const { isInputStream, isOutputStream } = method;
  const serve = isInputStream || isOutputStream ? serveStream : serveUnary;
  return (request, reply) => {
    const form = chosenForm(request, method);
    try {
      checkRequest(request, form, method);
      return serve(new Call(request, reply, form, parts), method);
    } catch (error) {
      const { status, contentType, headers, body } = writeFailure(form, error as RpcError);
      return reply.code(status).headers(headers).type(contentType).send(Buffer.from(body));
    }
  };
}

async function serveUnary(call: Call, method: ServedMethod): Promise<Reply> {
  const watch = isJudged(call) ? new CallWatch(call, method) : undefined;
  try {
    const chosen = mayMeet(call) ? await chooseCase(call) : undefined;
    const isUnseen = watch === undefined && chosen === undefined && !call.request.onParsed;
    const work = readOne(call, method).then((input) =>
      isUnseen
        ? method.run(input as never, call)
        : runWatched(call, method, { input, chosen, watch }),
    );
    const message = await call.untilFailure(work as Promise<unknown>);
    const odd =
      chosen && (await misbehave(call, chosen, { desc: method.desc.output, message }, watch));
    return odd ?? respondOnce(call, method.desc.output, message);
  } catch (error) {
    await watch?.failed(failureOf(call, error).code);
    return respondFailed(call, error);
  }
}

interface Watched {
  readonly input: Message | undefined;
  readonly chosen: Chosen | undefined;
  readonly watch: CallWatch | undefined;
}

async function runWatched(
  call: Call,
  { run, desc }: ServedMethod,
  { input, chosen, watch }: Watched,
) {
  // Other judges compare values, whatever the codec.
  if (input) call.request.onParsed?.({ json: asJson(desc.input, input) });
  await watch?.begin(input);
  if (chosen !== undefined) await play(call, chosen);
  return run(input as never, call);
}

async function serveStream(call: Call, method: ServedMethod): Promise<Reply> {
  const { desc, isInputStream, isOutputStream } = method;
  const watch = isJudged(call) ? new CallWatch(call, method) : undefined;
  let held: HeldRequest | undefined;
  try {
    held = call.hold();
    const chosen = mayMeet(call) ? await chooseCase(call) : undefined;
    const input = isInputStream ? readMany(call, method) : await readOne(call, method);
    await watch?.begin(isInputStream ? undefined : (input as Message));
    if (chosen !== undefined) await play(call, chosen);
    const odd =
      chosen && (await misbehave(call, chosen, { desc: desc.output, message: {} }, watch));
    if (odd !== undefined) return odd;
    const result = method.run(input as never, call);
    if (isOutputStream)
      return await respondMany(call, desc.output, result as AsyncIterable<unknown>);
    const output = await call.untilFailure(result as Promise<unknown>);
    await dropRest(call);
    held.release();
    return respondOnce(call, desc.output, output);
  } catch (error) {
    await watch?.failed(failureOf(call, error).code);
    if (held !== undefined && isInputStream && !isOutputStream) await dropRest(call);
    return respondFailed(call, error);
  }
}

/** Rejects a path in other letters, and a version of Connect that does not exist. */
function checkRequest({ url, headers }: Request, form: Form, { path }: ServedMethod): void {
  if (url !== path && url.split('?', 1)[0] !== path) throw unknownMethod(url, path);
  const { 'connect-protocol-version': version = '1' } = headers;
  if (form.protocol !== 'Connect' || version === '1') return;
  throw new RpcError('INVALID_ARGUMENT', 'connect-protocol-version must be 1.');
}

/** Throws 415 for a type in which this method cannot be called. */
function chosenForm({ headers, method, query, raw }: Request, served: ServedMethod): Form {
  if (method !== 'POST') {
    const { encoding } = query as { readonly encoding?: unknown };
    return bareForm(encoding) ?? (bareForm('json') as Form);
  }
  const form = formOf(headers['content-type']);
  const isStream = served.isInputStream || served.isOutputStream;
  const isWrong = form?.protocol === 'Connect' && (form.isBare === true) === isStream;
  if (form === undefined || isWrong) {
    const right = isStream ? 'application/connect+proto' : 'application/proto';
    throw new HttpError(
      415,
      `${served.desc.name} is called by POST with application/grpc, application/grpc-web or ${right}.`,
      { headers: { 'accept-post': acceptedTypes } },
    );
  }
  if (form.protocol !== 'gRPC' || raw.httpVersionMajor === 2) return form;
  throw new HttpError(
    415,
    'gRPC needs HTTP/2: connect with prior knowledge, or send application/grpc-web over HTTP/1.1.',
  );
}
