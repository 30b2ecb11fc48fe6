/** Capturing: whatever arrives at a bin, or below it, is kept and gets a response. */

import type { IncomingMessage } from 'node:http';
import { whenBothKnown } from '../../base/awaitable.js';
import { sentTargetOf } from '../../http/address/sandbox-address.js';
import { originForm } from '../../http/address/target.js';
import { hasBody, noBody, readBody } from '../../http/body/request-body.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { isPreflight, respondToPreflight } from '../../http/preflight.js';
import type { Services } from '../../kit/area.js';
import { ownerOf, type Sandbox } from '../../state/state.js';
import { type CaptureResponse, chooseResponse } from './bin-response.js';
import { type BinResponse, binsSpace, isBinId, keptBodyBytes } from './bins.js';
import { unknownBin } from './find-bin.js';

type ToBin = Request<{ Params: { binId: string } }>;

interface Captured {
  readonly requestId: number;
  readonly response: BinResponse | null;
}

export function captureHandler({ sandboxHolding, judgeDelivery }: Services) {
  /** `undefined` when there is no such bin. */
  async function keep(request: ToBin): Promise<Captured | undefined> {
    const { binId } = request.params;
    const holder = isBinId(binId) ? sandboxHolding(binsSpace, binId) : undefined;
    // Waiting a tick before reading makes it read a stream, which costs more than all that is done here.
    const sandbox = holder instanceof Promise ? await holder : holder;
    if (sandbox === undefined) return undefined;

    const { raw, ip } = request;
    const body = hasBody(raw) ? await readBody(request, keptBodyBytes) : noBody;
    // Asked together, once the body is here: by now the bin may be gone.
    const found = whenBothKnown(sandbox.now(), sandbox.read(binsSpace, binId));
    const [nowMs, bin] = found instanceof Promise ? await found : found;
    if (bin === undefined) return undefined;
    const { method = '', rawHeaders } = raw;
    const signature = judgeDelivery({
      headers: raw.headers,
      body: body.bytes,
      isTruncated: body.isTruncated,
      nowMs,
    });
    const item = {
      receivedAtMs: nowMs,
      method,
      url: shownTarget(raw, sandbox),
      rawHeaders,
      ip,
      bodySize: body.size,
      ...(signature && { signature }),
    };
    const requestId = await sandbox.log(binsSpace, binId).append(item, body.bytes);
    if (requestId === undefined) return undefined;
    return { requestId, response: bin.response };
  }

  return async (request: ToBin, reply: Reply): Promise<void> => {
    const { binId } = request.params;
    const captured = await keep(request);
    // Whatever others get from the bin, a browser's preflight gets permission.
    if (isPreflight(request)) return respondToPreflight(request, reply);
    if (captured === undefined) throw isBinId(binId) ? unknownBin() : noSuchAddress(request);
    const { status } = request.query as { readonly status?: unknown };
    const requestId = String(captured.requestId);
    send(reply, chooseResponse(captured.response, status, { binId, requestId }));
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

/** Bytes are sent as they are, and nothing at all without a body. */
function send(reply: Reply, { status, headers, body }: CaptureResponse): void {
  reply.code(status);
  for (const [name, value] of headers) reply.header(name, value);
  reply.send(body);
}

/** For what has not even the form of an id, such as a misspelt `/bins`. */
function noSuchAddress({ raw }: Request): HttpError {
  const path = sentTargetOf(raw).split('?', 1)[0];
  return new HttpError(
    404,
    `There is nothing at ${path}. The id of a bin has 22 characters; POST /api/webhooks/bins creates a bin.`,
  );
}
