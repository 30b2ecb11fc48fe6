/** Bodies that clients send in content codings. */

import { readBody, reserveUntilResponse } from '../../../http/body/request-body.js';
import { showBody } from '../../../http/body/show-body.js';
import {
  type Coding,
  codingNamed,
  codingsThere,
  decoderBytes,
} from '../../../http/codings/encode-body.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import { sendLargeJson } from '../../../http/json/large-json.js';
import { decodeLayers, maxCodings, maxExpandedBytes } from './decode-layers.js';

const shownBytes = 1024 * 1024;

/** What is undone, and what that takes, counts among the bodies of all requests until the response is sent. */
export async function decodeSent(request: Request, reply: Reply): Promise<never> {
  const encodings = codingsIn(request.headers['content-encoding']);
  const codings = encodings.filter((coding) => coding !== 'identity');
  const isCoded = codings.length > 0;
  const sent = await readBody(request, isCoded ? maxExpandedBytes : shownBytes);
  const layerBytes = codings.reduce((sum, coding) => sum + decoderBytes[coding], 0);
  // Memory of clients that have left is collected late, so a body that waits for its client counts twice.
  reserveUntilResponse(request, reply, (isCoded ? shownBytes : sent.bytes.length) + layerBytes);
  const { bytes, size } = isCoded ? await decodeLayers(sent.bytes, codings, shownBytes) : sent;
  const textTruncated = size > bytes.length;
  const { text, encoding } = showBody({ bytes, isTruncated: textTruncated });
  const decoded = {
    encodings,
    sentBytes: sent.size,
    bytes: size,
    text,
    textEncoding: encoding,
    textTruncated,
  };
  return sendLargeJson(request, reply.type(jsonContentType), decoded);
}

/** In the order in which they were applied (RFC 9110 section 8.4). */
function codingsIn(header: string | undefined): (Coding | 'identity')[] {
  const names = (header ?? '').split(',').map((name) => name.trim());
  const named = names.filter((name) => name !== '');
  if (named.length > maxCodings) {
    throw notTaken(`There are ${named.length} codings, and at most ${maxCodings} are undone.`);
  }
  return named.map((name) => {
    const coding = codingNamed(name);
    if (coding === 'identity' || (coding !== undefined && codingsThere.includes(coding))) {
      return coding;
    }
    throw notTaken(`The coding ${JSON.stringify(name.slice(0, 50))} is not known here.`);
  });
}

/** With what could be sent instead (RFC 9110 section 12.5.3). */
function notTaken(what: string): HttpError {
  const taken = [...codingsThere, 'identity'].join(', ');
  return new HttpError(415, `${what} Content-Encoding must be ${taken}.`, {
    headers: { 'accept-encoding': taken },
  });
}
