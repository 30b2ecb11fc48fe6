/** The endpoint that guards itself by signatures, and the one that judges whole messages. */

import { hash } from 'node:crypto';
import { basePathOf, rootUrl, sentTargetOf } from '../../http/address/sandbox-address.js';
import { originForm } from '../../http/address/target.js';
import { mediaType, readBody, typeNotAccepted } from '../../http/body/request-body.js';
import { isFault } from '../../http/credentials/fault.js';
import { realm } from '../../http/credentials/realm.js';
import type { Reply, Request } from '../../http/exchange.js';
import { headerValues } from '../../http/headers/header-values.js';
import { HttpError, jsonContentType } from '../../http/http-error.js';
import { digestOf } from '../../http/sending/digest-fields.js';
import type { Services } from '../../kit/area.js';
import type { Sandbox, Space } from '../../state/state.js';
import { toleranceSeconds, unmetDemand, wantedSignature } from './demands.js';
import type { Difference } from './find-difference.js';
import { type Judgement, judgeSignature } from './judge-signature.js';
import { queryParametersOf, type SignedMessage, type SignedRequest } from './message.js';
import { type Field, MessageFields } from './message-fields.js';
import { parseMessage } from './parse-message.js';
import { type MessageSignature, parseSignatures } from './parse-signatures.js';
import { signResponse } from './sign-response.js';

const maxBytes = 64 * 1024;

/** By the hash of key and nonce. None may go for others: it could be used again. */
const usedNonces: Space<true> = {
  name: 'signature-nonces',
  maxKeys: 5000,
  isKeptWhenFull: true,
  fullMessage:
    'This sandbox remembers 5000 nonces, the limit. They expire after ten minutes at most.',
};

export function signatureHandlers({ sandboxOf, baseUrlOf }: Services) {
  return {
    async guard(request: Request, reply: Reply): Promise<Reply> {
      const message = await receivedMessage(request, baseUrlOf(request));
      const sandbox = sandboxOf(request);
      const nowMs = await sandbox.now();
      const { label, keyid, algorithm, signatureBase } = await letIn(sandbox, message, nowMs);
      const scheme = 'http-message-signatures';
      const accepted = { authenticated: true, scheme, label, keyid, algorithm, signatureBase };
      const body = Buffer.from(JSON.stringify(accepted));
      reply.type(jsonContentType);
      const wanted = headerValues(request, 'accept-signature').join(', ');
      if (wanted !== '') {
        const own: Field[] = [
          ['content-type', jsonContentType],
          ['content-length', String(body.length)],
          ['content-digest', digestOf('sha-256', body)],
          ['cache-control', 'no-store'],
          ['x-request-id', request.id],
        ];
        const response = {
          kind: 'response',
          status: 200,
          fields: new MessageFields(own),
          trailers: new MessageFields([]),
          body,
        } as const;
        const added = signResponse({ ...response, request: message }, wanted, nowMs);
        reply
          .header('content-digest', digestOf('sha-256', body))
          .headers(Object.fromEntries(added));
      }
      return reply.send(body);
    },

    async verify(request: Request, scheme: 'http' | 'https') {
      const { 'content-type': contentType } = request.headers;
      if (mediaType(contentType) !== 'message/http') {
        throw typeNotAccepted(contentType, 'Content-Type: message/http');
      }
      const { bytes } = await readBody(request, maxBytes, maxBytes);
      const message = parseMessage(bytes, scheme);
      if (isFault(message)) throw new HttpError(400, message.fault);
      const signatures = parseSignatures(message);
      if (isFault(signatures)) return { ...nothing, differs: fieldDifference(signatures.fault) };
      return firstFault(message, signatures) ?? nothing;
    },
  };
}

const nothing = {
  verified: false,
  label: null,
  keyid: null,
  algorithm: null,
  signatureBase: [],
  differs: null,
};

/** Judges signatures up to the first that is wrong, which it returns; the first of all if all are right. */
function firstFault(
  message: SignedMessage,
  signatures: readonly MessageSignature[],
): Judgement | undefined {
  let first: Judgement | undefined;
  for (const signature of signatures) {
    const judged = judgeSignature(message, signature, { isExplained: true });
    if (!judged.verified) return judged;
    first ??= judged;
  }
  return first;
}

function fieldDifference(message: string): Difference {
  return { part: 'signature-input', message };
}

/** The request as its sender sees it: with the path of a proxy before it, and the sandbox. */
async function receivedMessage(request: Request, baseUrl: string): Promise<SignedRequest> {
  const { raw } = request;
  const { bytes } = await readBody(request, maxBytes, maxBytes);
  const root = rootUrl(baseUrl, raw);
  const { protocol, host } = new URL(root);
  const target = basePathOf(root) + originForm(sentTargetOf(raw));
  return {
    kind: 'request',
    method: request.method,
    scheme: protocol === 'https:' ? 'https' : 'http',
    authority: host,
    target,
    queryParameters: queryParametersOf(target),
    fields: new MessageFields(pairsOf(raw.rawHeaders).filter(([name]) => !name.startsWith(':'))),
    trailers: new MessageFields(pairsOf(raw.rawTrailers)),
    body: bytes,
  };
}

function pairsOf(raw: readonly string[]): Field[] {
  const pairs: Field[] = [];
  for (let place = 0; place < raw.length; place += 2) {
    pairs.push([raw[place] ?? '', raw[place + 1] ?? '']);
  }
  return pairs;
}

/** The first signature that is right and covers enough. Throws 401 that tells of the first one otherwise. */
async function letIn(sandbox: Sandbox, message: SignedRequest, nowMs: number): Promise<Judgement> {
  const hasBody = message.body.length > 0;
  const signatures = parseSignatures(message);
  if (isFault(signatures)) throw rejection(hasBody, fieldDifference(signatures.fault));
  let first: HttpError | undefined;
  for (const signature of signatures) {
    // The response explains only the first rejection, and finding a difference takes many tries.
    const judged = judgeSignature(message, signature, { isExplained: first === undefined });
    const differs =
      judged.differs ??
      unmetDemand(signature, hasBody, nowMs) ??
      (await usedNonce(sandbox, signature));
    if (differs === undefined) return judged;
    first ??= rejection(hasBody, differs, judged);
  }
  throw first ?? rejection(hasBody, fieldDifference('It has no signature.'));
}

/** A nonce is used up by a signature that is right alone, so that nobody can use up those of others. */
async function usedNonce(
  sandbox: Sandbox,
  { keyid, nonce, created = 0 }: MessageSignature,
): Promise<Difference | undefined> {
  if (nonce === undefined) return undefined;
  const key = hash('sha256', JSON.stringify([keyid, nonce]), 'base64url');
  const expiresAtMs = (created + toleranceSeconds + 1) * 1000;
  const isNew = await sandbox.update(usedNonces, key, (known: true | undefined) => ({
    value: true as const,
    expiresAtMs,
    result: known === undefined,
  }));
  return isNew
    ? undefined
    : { part: 'nonce', message: 'It was used before; each can be used once.' };
}

function rejection(hasBody: boolean, differs: Difference, judged?: Judgement): HttpError {
  return new HttpError(401, `${differs.part}: ${differs.message}`, {
    headers: {
      'www-authenticate': `Signature realm="${realm}"`,
      'accept-signature': wantedSignature(hasBody),
    },
    body: {
      ...(judged && { label: judged.label, signatureBase: judged.signatureBase }),
      differs,
    },
  });
}
