/** Endpoints that accept only signed requests, and sign their responses. */

import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { basePathOf, rootUrl, sentTargetOf } from '#http/address/sandbox-address.js';
import { originForm } from '#http/address/target.js';
import { readBody } from '#http/body/request-body.js';
import { realm } from '#http/credentials/challenge.js';
import type { Reply, Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { HttpError, jsonContentType } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { challenge } from '#http/schemas/header-schemas.js';
import { digestOf } from '#http/sending/digest-fields.js';
import { anyBodies } from '#kit/describe/any-body.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { type Verdict, verdictSchema } from '#kit/verdict/verdict.js';
import type { Sandbox, Space } from '#state/state.js';
import { useOnce } from '#state/use-once.js';
import { toleranceSeconds, unmetDemand, wantedSignature } from './demands.js';
import { type Judgement, judgeSignature, signatureVerdict } from './judge-signature.js';
import { queryParametersOf, type SignedRequest } from './messages/message.js';
import { unlessFaulty } from './messages/message-fault.js';
import { type Field, MessageFields } from './messages/message-fields.js';
import { type MessageSignature, parseSignatures } from './parse-signatures.js';
import { path } from './path.js';
import { baseSchema, differenceSchema, maxBytes } from './schemas.js';
import { signResponse } from './sign-response.js';
import { type Difference, inputDifference } from './signature-base.js';
import { keepVerdict } from './signature-judge.js';

const text = Type.String();

const guarded = {
  summary: 'Send a request signed as in RFC 9421',
  description:
    "The signature must cover @method, @target-uri (or @authority with @request-target or with @path and @query) and, with a body, content-digest. created is at most 300 s from the server's time, a nonce works once, and a tag must be practice-api. The response is signed as Accept-Signature requests.",
  security: [{ messageSignature: [] }],
  headers: unvalidated({
    'Signature-Input': Type.Optional(Type.String({ description: 'RFC 9421 section 4.1.' })),
    Signature: Type.Optional(Type.String({ description: 'RFC 9421 section 4.2.' })),
    'Content-Digest': Type.Optional(Type.String({ description: 'RFC 9530 digest of the body.' })),
    'Accept-Signature': Type.Optional(
      Type.String({ description: 'How to sign the response, such as sig=("@status");created.' }),
    ),
  }),
  responses: {
    200: {
      description: 'The signature is valid.',
      content: {
        'application/json': {
          schema: Type.Object({
            authenticated: Type.Literal(true),
            scheme: Type.Literal('http-message-signatures'),
            label: text,
            keyid: text,
            algorithm: text,
            signatureBase: baseSchema,
            verdict: verdictSchema,
          }),
        },
      },
    },
    401: Type.Object({
      ...errorSchema.properties,
      label: Type.Optional(text),
      signatureBase: Type.Optional(baseSchema),
      differs: Type.Optional(differenceSchema),
      verdict: Type.Optional(verdictSchema),
    }),
  },
  responseHeaders: {
    200: {
      'Signature-Input': Type.Optional(text),
      Signature: Type.Optional(text),
      'Content-Digest': Type.Optional(text),
    },
    401: { ...challenge, 'Accept-Signature': text },
  },
  handle: guard,
};

export const guardGet = endpoint('GET', path, guarded);

export const guardPost = endpoint('POST', path, {
  ...guarded,
  summary: 'Send a signed request with a body',
  ...anyBodies,
  responses: { ...guarded.responses, 413: errorSchema },
});

async function guard(request: Request, reply: Reply): Promise<Reply> {
  const { sandbox } = request;
  const message = await receivedMessage(request);
  const nowMs = await sandbox.now();
  const judged = await noteRejection(sandbox, () => letIn(sandbox, message, nowMs, request.id));
  const { label, keyid, algorithm, signatureBase } = judged;
  const scheme = 'http-message-signatures';
  const verdict = signatureVerdict(request.id, judged);
  await keepVerdict(sandbox, verdict);
  const accepted = {
    ...{ authenticated: true, scheme, label, keyid, algorithm, signatureBase },
    verdict,
  };
  const body = Buffer.from(JSON.stringify(accepted));
  reply.type(jsonContentType);
  const wanted = headerValues(request, 'accept-signature').join(', ');
  if (wanted === '') return reply.send(body);
  const digest = digestOf('sha-256', body);
  const fields = new MessageFields([
    ['content-type', jsonContentType],
    ['content-length', String(body.length)],
    ['content-digest', digest],
    ['cache-control', 'no-store'],
    ['x-request-id', request.id],
  ]);
  const content = { fields, trailers: new MessageFields(), body };
  const response = { kind: 'response', status: 200, ...content, request: message } as const;
  const signature = signResponse(response, wanted, nowMs);
  return reply.header('content-digest', digest).headers(signature).send(body);
}

/** Keeps the verdict in the error body of a rejected request. */
async function noteRejection(sandbox: Sandbox, judge: () => Promise<Judgement>) {
  try {
    return await judge();
  } catch (error) {
    const { verdict } = error instanceof HttpError ? error.extra : {};
    if (verdict !== undefined) await keepVerdict(sandbox, verdict as Verdict);
    throw error;
  }
}

/** Returns the request as its sender sees it: with the path of a proxy, and the sandbox prefix. */
async function receivedMessage(request: Request): Promise<SignedRequest> {
  const { raw, method } = request;
  const { bytes: body } = await readBody(request, maxBytes, maxBytes);
  const root = rootUrl(request.baseUrl, raw);
  const { protocol, host: authority } = new URL(root);
  const target = basePathOf(root) + originForm(sentTargetOf(raw));
  return {
    kind: 'request',
    method,
    scheme: protocol === 'https:' ? 'https' : 'http',
    authority,
    target,
    queryParameters: queryParametersOf(target),
    fields: new MessageFields(pairsOf(raw.rawHeaders).filter(([name]) => !name.startsWith(':'))),
    trailers: new MessageFields(pairsOf(raw.rawTrailers)),
    body,
  };
}

function pairsOf(raw: readonly string[]): Field[] {
  const names = raw.filter((_, index) => index % 2 === 0);
  return names.map((name, index) => [name, raw[2 * index + 1] ?? '']);
}

/** Returns the first valid signature that covers enough. Otherwise throws 401 about the first signature. */
async function letIn(
  sandbox: Sandbox,
  message: SignedRequest,
  nowMs: number,
  requestId: string,
): Promise<Judgement> {
  const hasBody = message.body.length > 0;
  const rejection = (differs: Difference, judged?: Judgement) =>
    rejectionOf(requestId, hasBody, differs, judged);
  const signatures = unlessFaulty(
    () => parseSignatures(message),
    (fault) => {
      throw rejection(inputDifference(fault));
    },
  );
  let first: HttpError | undefined;
  for (const signature of signatures) {
    // The response explains only the first rejection, because finding a difference takes many tries.
    const judged = judgeSignature(message, signature, first === undefined);
    const differs =
      judged.differs ??
      unmetDemand(signature, hasBody, nowMs) ??
      (await usedNonce(sandbox, signature));
    if (differs === undefined) return judged;
    first ??= rejection(differs, judged);
  }
  throw first ?? rejection(inputDifference('It has no signature.'));
}

/** Keyed by the hash of key and nonce. Never evicted, because the nonce could then be used again. */
const usedNonces: Space<true> = {
  name: 'signature-nonces',
  maxKeys: 5000,
  isKeptWhenFull: true,
  fullMessage: 'This sandbox stores 5000 nonces, the maximum. They expire within ten minutes.',
};

/** Uses up a nonce. Only a valid signature does, so that attackers cannot use up nonces of others. */
async function usedNonce(sandbox: Sandbox, { keyid, nonce, created = 0 }: MessageSignature) {
  if (nonce === undefined) return undefined;
  const key = hash('sha256', JSON.stringify([keyid, nonce]), 'base64url');
  const expiresAtMs = (created + toleranceSeconds + 1) * 1000;
  if (await useOnce(sandbox, usedNonces, key, expiresAtMs)) return undefined;
  return { part: 'nonce', message: 'The nonce was already used; each works once.' };
}

function rejectionOf(
  requestId: string,
  hasBody: boolean,
  differs: Difference,
  judged?: Judgement,
): HttpError {
  return new HttpError(401, `${differs.part}: ${differs.message}`, {
    headers: {
      'www-authenticate': `Signature realm="${realm}"`,
      'accept-signature': wantedSignature(hasBody),
    },
    body: {
      ...(judged && { label: judged.label, signatureBase: judged.signatureBase }),
      differs,
      verdict: signatureVerdict(requestId, { verified: false, differs }),
    },
  });
}
