/** The endpoint that captures requests to a bin, and to paths below it, and responds to them. */

import { METHODS } from 'node:http';
import { Type } from 'typebox';
import { whenBothKnown } from '#base/awaitable.js';
import { redact, redactFields } from '#base/text/redact.js';
import { sentTargetOf } from '#http/address/sandbox-address.js';
import { originForm } from '#http/address/target.js';
import { noteJson, readBody } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { addGivenHeaders } from '#http/headers/add-given-headers.js';
import { rejectStored } from '#http/headers/settable-headers.js';
import { HttpError } from '#http/http-error.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { isPreflight, respondToPreflight } from '#http/preflight.js';
import { failures } from '#http/schemas/error-schema.js';
import { contentSecurityPolicy, noSniff } from '#http/schemas/header-schemas.js';
import { watchBody } from '#kit/connection.js';
import { credentialHeaders } from '#kit/cors-credentials.js';
import { anyBodies, anyQuery } from '#kit/describe/any-body.js';
import { type Endpoint, endpoint, unvalidated } from '#kit/endpoint.js';
import type { Sandboxes } from '#kit/services.js';
import type { JudgeDelivery } from '#kit/verdict/delivery-verdict.js';
import { binParams } from './bin-endpoints.js';
import { binHeaderFaults, chooseResponse } from './bin-response.js';
import { binsSpace, isBinId, unknownBin } from './bins.js';
import { keptBodyBytes } from './kept-body.js';

type CaptureRequest = Request<{ Params: { binId: string }; Querystring: { status?: unknown } }>;

const confirmation = Type.Object({
  received: Type.Boolean(),
  binId: Type.String(),
  requestId: Type.String(),
});

const anyResponse = { '*/*': { schema: Type.Unknown() } };

export function capturingEndpoints(
  sandboxes: Sandboxes,
  judgeDelivery: JudgeDelivery | undefined,
): readonly Endpoint[] {
  const capture = capturer(sandboxes, judgeDelivery);
  return ['/api/webhooks/:binId', '/api/webhooks/:binId/*'].map((path) =>
    endpoint(METHODS, path, {
      summary: 'Capture a request in a bin',
      description:
        "Accepts any method, path below the bin, query, headers and body up to 10 MiB, of which 256 KiB are stored. The response is the bin's `response`, or a confirmation; `?status=` overrides the status. The preflight of a browser is captured, and allowed.",
      isOpen: true,
      queryFaults: 'none',
      params: { binId: binParams.id },
      query: unvalidated({
        status: Type.Optional(
          Type.Integer({
            minimum: 200,
            maximum: 599,
            description: 'The status of the response.',
          }),
        ),
        ...anyQuery,
      }),
      ...anyBodies,
      responses: {
        200: {
          description: 'A confirmation, or the response of the bin.',
          content: { 'application/json': { schema: confirmation }, ...anyResponse },
        },
        default: {
          description: "The status in ?status= or in the bin's response; also any error.",
          content: anyResponse,
        },
        ...failures(404, 413),
      },
      responseHeaders: { 200: { ...contentSecurityPolicy, ...noSniff } },
      async handle(request: CaptureRequest, reply) {
        // The response has no content of the visitor, so no credentials need protection.
        if (isBinId(request.params.binId)) reply.headers(credentialHeaders(request, true));
        const captured = await capture(request);
        // Preflights are always allowed, whatever response the bin has.
        if (isPreflight(request)) return respondToPreflight(request, reply);
        if (captured === undefined) throw nothingAt(request);
        const { response, ...ids } = captured;
        const { deniedHeaders } = request.exchanges;
        const faults = response === null ? [] : binHeaderFaults(response, deniedHeaders);
        rejectStored(faults, 'PATCH the bin; the request was captured.');
        const { status, type, given, body } = chooseResponse(response, request.query.status, ids);
        if (type !== undefined) reply.type(type);
        addGivenHeaders(reply, given);
        return reply.code(status).headers(isolatingHeaders).send(body);
      },
    }),
  );
}

/** Returns a function that captures a request and returns the response of the bin; `undefined` if the bin does not exist. */
function capturer({ sandboxHolding }: Sandboxes, judgeDelivery: JudgeDelivery | undefined) {
  return async (request: CaptureRequest) => {
    const { binId } = request.params;
    const holder = isBinId(binId) ? sandboxHolding(binsSpace, binId) : undefined;
    // Waiting a tick before reading would turn the body into a stream, which costs more than the whole capture.
    const sandbox = holder instanceof Promise ? await holder : holder;
    if (sandbox === undefined) return undefined;

    const { raw, ip } = request;
    const { method = '', headers, rawHeaders } = raw;
    // Before the body arrives, because only its beginning is stored.
    const judge = judgeDelivery?.(headers);
    if (judge !== undefined) watchBody(raw, (chunk) => judge.update(chunk));
    const { bytes, size } = await readBody(request, keptBodyBytes);
    noteJson(request, bytes);
    // Read after the body has arrived, since the bin may be deleted by now. Promise.all makes a capture a quarter
    // slower.
    const found = whenBothKnown(sandbox.now(), sandbox.read(binsSpace, binId));
    const [nowMs, bin] = found instanceof Promise ? await found : found;
    if (bin === undefined) return undefined;
    const signature = judge?.conclude(nowMs);
    const item = {
      receivedAtMs: nowMs,
      method,
      url: redact(originForm(sentTargetOf(raw))),
      rawHeaders: redactFields(rawHeaders),
      ...(raw.rawTrailers.length > 0 && { rawTrailers: redactFields(raw.rawTrailers) }),
      ip,
      bodySize: size,
      ...(signature && { signature }),
    };
    const sequence = await sandbox.log(binsSpace, binId).append(item, bytes);
    if (sequence === undefined) return undefined;
    if (judge !== undefined && signature !== undefined) {
      await judge.record(signature, sandbox, request.id);
    }
    const requestId = String(sequence);
    return { response: bin.response, binId, requestId };
  };
}

function nothingAt({ params, raw }: CaptureRequest): HttpError {
  if (isBinId(params.binId)) return unknownBin();
  // The path has no valid id, such as a misspelt `/bins`.
  const path = sentTargetOf(raw).split('?', 1)[0];
  return new HttpError(
    404,
    `Not found: ${path}. The id of a bin has 22 characters; POST /api/webhooks/bins creates a bin.`,
  );
}
