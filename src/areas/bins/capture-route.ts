/** The addresses that capture: whatever arrives at a bin, or below it, is kept and answered. */

import { METHODS } from 'node:http';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Type } from 'typebox';
import { anyBody, anyQuery } from '../../server/any-body.js';
import type { App, Services } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { cacheControl, contentSecurityPolicy, noSniff } from '../../server/header-schemas.js';
import { HttpError } from '../../server/http-error.js';
import { originForm } from '../../server/origin-form.js';
import { hasBody, noBody, readBody } from '../../server/request-body.js';
import { type CaptureReply, chooseReply } from './bin-reply.js';
import { unknownBin } from './bin-routes.js';
import { binsSpace, isBinId, keptBodyBytes } from './bins.js';
import { captureAnswerSchema, captureParamsSchema } from './schemas.js';

export function addCaptureRoute(app: App, { sandboxHolding, judgeDelivery }: Services): void {
  async function capture(
    request: FastifyRequest<{ Params: { binId: string } }>,
    reply: FastifyReply,
  ): Promise<void> {
    const { binId } = request.params;
    if (!isBinId(binId)) throw noSuchAddress(request);
    const sandbox = await sandboxHolding(binsSpace, binId);
    if (sandbox === undefined) throw unknownBin();

    const { raw, ip } = request;
    const body = hasBody(raw) ? await readBody(request, keptBodyBytes) : noBody;
    const nowMs = await sandbox.now();
    const { method = '', rawHeaders } = raw;
    const url = originForm(raw.url ?? '');
    const signature = judgeDelivery({
      headers: raw.headers,
      body: body.bytes,
      isTruncated: body.isTruncated,
      nowMs,
    });
    const requestId = await sandbox.log(binsSpace, binId).append(
      {
        receivedAtMs: nowMs,
        method,
        url,
        rawHeaders,
        ip,
        bodySize: body.size,
        ...(signature && { signature }),
      },
      body.bytes,
    );
    const bin = await sandbox.read(binsSpace, binId);
    // The body may have taken its time, and the bin is gone by now.
    if (requestId === undefined || bin === undefined) throw unknownBin();

    const { status: askedStatus } = request.query as { readonly status?: unknown };
    const captured = { binId, requestId: String(requestId) };
    send(reply, chooseReply(bin.response, askedStatus, captured));
  }

  for (const url of ['/api/webhooks/:binId', '/api/webhooks/:binId/*']) {
    app.route({
      method: METHODS as HTTPMethods[],
      url,
      exposeHeadRoute: false,
      config: { isOpen: true },
      schema: {
        summary: 'Captures the request into a bin',
        description:
          "Takes any verb, path below the bin, headers and body up to 10 MiB, of which 256 KiB are kept. The answer is the bin's own `response`, or a confirmation; `?status=` asks for another status.",
        params: captureParamsSchema,
        described: {
          querystring: {
            status: Type.Optional(
              Type.Integer({
                minimum: 200,
                maximum: 599,
                description: 'The status to answer with.',
              }),
            ),
            ...anyQuery,
          },
          ...anyBody,
        },
        response: {
          200: {
            description: "A confirmation, or what the bin's response says.",
            content: {
              'application/json': { schema: captureAnswerSchema },
              '*/*': { schema: Type.Unknown() },
            },
          },
          default: {
            description:
              "Whatever status ?status= asks for, or the bin's response has; and any failure.",
            content: { '*/*': { schema: Type.Unknown() } },
          },
          400: errorSchema,
          404: errorSchema,
          413: errorSchema,
        },
        responseHeaders: { 200: { ...cacheControl, ...contentSecurityPolicy, ...noSniff } },
      },
      handler: capture,
    });
  }
}

/** Bytes are sent as they are, and nothing at all without a body. */
function send(reply: FastifyReply, { status, headers, body }: CaptureReply): void {
  reply.code(status);
  for (const [name, value] of headers) reply.header(name, value);
  reply.send(body);
}

/** For what has not even the form of an id, such as a misspelt `/bins`. */
function noSuchAddress({ url }: FastifyRequest): HttpError {
  const path = url.split('?', 1)[0];
  return new HttpError(
    404,
    `There is nothing at ${path}. The id of a bin has 22 characters; POST /api/webhooks/bins makes one.`,
  );
}
