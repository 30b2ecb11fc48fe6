/** The webhook routes of the service. */

import { addressOf } from '../shared/address-of.js';
import { callInSandbox } from './sandbox.js';

export interface Bin {
  readonly id: string;
  readonly name: string | null;
  readonly url: string;
  readonly requestCount: number;
  readonly response: BinResponse | null;
}

export interface BinResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body: string;
}

export interface Verdict {
  readonly provider: string;
  readonly verified: boolean;
  readonly message: string;
  readonly warning?: string;
}

export interface CapturedRequest {
  readonly id: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly subPath: string;
  readonly queryString: string;
  readonly headers: readonly Header[];
  readonly contentType: string | null;
  readonly bodySize: number;
  readonly bodyTruncated: boolean;
  readonly bodyEncoding: 'utf-8' | 'base64' | 'none';
  readonly body: string | null;
  /** Present if the body is compressed. */
  readonly decodedBody?: string | null;
  readonly decodedBodyEncoding?: 'utf-8' | 'base64' | 'none';
  readonly decodeError?: string;
  readonly trailers?: readonly Header[];
  readonly ip: string;
  readonly signature?: Verdict;
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

export const binAddress = (id: string, rest = '') => addressOf(`/api/webhooks/bins/${id}${rest}`);

/** Headers that a signature may cover or come with. */
const signatureHeader =
  /^(?:stripe-signature|x-hub-signature-256|x-shopify-|webhook-|svix-|content-encoding$)/i;

/** Verifies a captured delivery with another secret, at the time of its arrival. */
export async function verifyWith(
  secret: string,
  binId: string,
  request: CapturedRequest,
  provider: string,
): Promise<Verdict> {
  const bytes = await callInSandbox(binAddress(binId, `/requests/${request.id}/body`));
  const headers = new Headers({ 'X-Signing-Secret': asHeaderValue(secret) });
  for (const { name, value } of request.headers) {
    if (signatureHeader.test(name)) headers.append(name, value);
  }
  const at = Math.floor(Date.parse(request.receivedAt) / 1000);
  const url = addressOf(`/api/webhooks/verify/${encodeURIComponent(provider)}?at=${at}`);
  const response = await callInSandbox(url, {
    method: 'POST',
    headers,
    body: await bytes.arrayBuffer(),
  });
  return (await response.json()) as Verdict;
}

/** Header values are bytes with one character each, so the secret is sent as UTF-8. */
function asHeaderValue(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
