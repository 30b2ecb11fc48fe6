/** Capturing: whatever arrives at a bin, or below it, is kept and gets a response. */

import { type IncomingMessage, METHODS } from 'node:http';
import { Type } from 'typebox';
import { whenBothKnown } from '../../base/awaitable.js';
import { sentTargetOf } from '../../http/address/sandbox-address.js';
import { originForm } from '../../http/address/target.js';
import { readBody } from '../../http/body/request-body.js';
import type { Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { isPreflight, respondToPreflight } from '../../http/preflight.js';
import { failures } from '../../http/schemas/error-schema.js';
import { contentSecurityPolicy, noSniff } from '../../http/schemas/header-schemas.js';
import type { Services } from '../../kit/area.js';
import { credentialHeaders } from '../../kit/cors-credentials.js';
import { anyBodies, anyQuery } from '../../kit/describe/any-body.js';
import { type Endpoint, endpoint, unvalidated } from '../../kit/endpoint.js';
import { ownerOf, type Sandbox } from '../../state/state.js';
import { binParams } from './bin-endpoints.js';
import { chooseResponse } from './bin-response.js';
import { binsSpace, isBinId, keptBodyBytes, unknownBin } from './bins.js';

type CaptureRequest = Request<{ Params: { binId: string }; Querystring: { status?: unknown } }>;

const anyResponse = { '*/*': { schema: Type.Unknown() } };

export function capturingEndpoints(services: Services): readonly Endpoint[] {
  const capture = capturer(services);
  return ['/api/webhooks/:binId', '/api/webhooks/:binId/*'].map((path) =>
    endpoint(METHODS, path, {
      summary: 'Capture the request into a bin',
      description:
        "Accepts any method, path below the bin, query, headers and body up to 10 MiB, of which 256 KiB are kept. The response is the bin's own `response`, or a confirmation; `?status=` asks for another status. A browser's preflight is captured, and gets permission.",
      isOpen: true,
      takesEverything: true,
      params: { binId: binParams.id },
      query: unvalidated({
        status: Type.Optional(
          Type.Integer({
            minimum: 200,
            maximum: 599,
            description: 'The status to respond with.',
          }),
        ),
        ...anyQuery,
      }),
      ...anyBodies,
      responses: {
        200: {
          description: "A confirmation, or what the bin's response says.",
          content: {
            'application/json': {
              schema: Type.Object({
                received: Type.Boolean(),
                binId: Type.String(),
                requestId: Type.String(),
              }),
            },
            ...anyResponse,
          },
        },
        default: {
          description:
            "Whatever status ?status= asks for, or the bin's response has; and any failure.",
          content: anyResponse,
        },
        ...failures(400, 404, 413),
      },
      responseHeaders: { 200: { ...contentSecurityPolicy, ...noSniff } },
      async handle(request: CaptureRequest, reply) {
        // Nothing there is the visitor's.
        if (isBinId(request.params.binId)) reply.headers(credentialHeaders(request, true));
        const response = await capture(request);
        // Whatever others get from the bin, a browser's preflight gets permission.
        if (isPreflight(request)) return respondToPreflight(request, reply);
        if (response === undefined) throw nothingAt(request);
        const { status, headers, body } = response;
        return reply.code(status).headers(headers).send(body);
      },
    }),
  );
}

/** Returns a function that keeps a request and returns the response; `undefined` when there is no such bin. */
function capturer({ sandboxHolding, judgeDelivery }: Services) {
  return async (request: CaptureRequest) => {
    const { binId } = request.params;
    const holder = isBinId(binId) ? sandboxHolding(binsSpace, binId) : undefined;
    // Waiting a tick before reading makes it read a stream, which costs more than all that is done here.
    const sandbox = holder instanceof Promise ? await holder : holder;
    if (sandbox === undefined) return undefined;

    const { bytes, size, isTruncated } = await readBody(request, keptBodyBytes);
    // Read together, once the body is here: by now the bin may be gone. Promise.all makes a capture a quarter slower.
    const found = whenBothKnown(sandbox.now(), sandbox.read(binsSpace, binId));
    const [nowMs, bin] = found instanceof Promise ? await found : found;
    if (bin === undefined) return undefined;
    const { raw, ip } = request;
    const { method = '', headers, rawHeaders } = raw;
    const signature = judgeDelivery({ headers, body: bytes, isTruncated, nowMs });
    const item = {
      receivedAtMs: nowMs,
      method,
      url: shownTarget(raw, sandbox),
      rawHeaders,
      ip,
      bodySize: size,
      ...(signature && { signature }),
    };
    const sequence = await sandbox.log(binsSpace, binId).append(item, bytes);
    if (sequence === undefined) return undefined;
    const requestId = String(sequence);
    return chooseResponse(bin.response, request.query.status, { binId, requestId });
  };
}

/**
 * The target as it was sent. An address that acts as an account is told to nobody but that account: another
 * one's bin shows that there was one.
 */
function shownTarget(message: IncomingMessage, { name }: Sandbox): string {
  const { account } = message.sandboxAddress ?? {};
  if (account === undefined || account.accountId === ownerOf(name)) {
    return originForm(sentTargetOf(message));
  }
  return `/s/~${originForm(message.url ?? '')}`;
}

function nothingAt({ params, raw }: CaptureRequest): HttpError {
  if (isBinId(params.binId)) return unknownBin();
  // Not even the form of an id, such as a misspelt `/bins`.
  const path = sentTargetOf(raw).split('?', 1)[0];
  return new HttpError(
    404,
    `There is nothing at ${path}. The id of a bin has 22 characters; POST /api/webhooks/bins creates a bin.`,
  );
}
