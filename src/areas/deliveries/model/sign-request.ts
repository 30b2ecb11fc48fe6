/** The request of a delivery: its signed headers and its body. */

import type { DeliveryScheme } from '#kit/deliveries/schemes.js';
import { signDelivery } from '#kit/deliveries/sign-delivery.js';

export type RequestHeaders = Readonly<Record<string, string>>;

export interface UnsignedRequest {
  readonly scheme: DeliveryScheme;
  readonly secrets: readonly string[];
  /** In Unix seconds of real time, because receivers compare it with their own clocks. */
  readonly signedAt: number;
  /** The id of the event. */
  readonly id: string;
  readonly body: Buffer;
  readonly headers: RequestHeaders;
}

export interface SignedRequest {
  readonly headers: RequestHeaders;
  readonly body: Buffer;
}

/** Changes of a request that make it wrong or difficult. */
export interface RequestChange {
  /** Changes the body that is sent, and signed unless `signs` returns another one. */
  readonly body?: (body: Buffer) => Buffer;
  readonly signs?: (body: Buffer) => Buffer;
  readonly secrets?: (secrets: readonly string[]) => readonly string[];
  readonly ageSeconds?: number;
  readonly tampering?: 'signature';
  /** Changes the headers after signing. */
  readonly headers?: (headers: RequestHeaders, scheme: DeliveryScheme) => RequestHeaders;
}

export function signRequest(request: UnsignedRequest, change: RequestChange = {}): SignedRequest {
  const { scheme, signedAt, id } = request;
  const body = change.body?.(request.body) ?? request.body;
  const signed = change.signs?.(request.body) ?? body;
  const signature = signDelivery(scheme, signed, {
    secrets: change.secrets?.(request.secrets) ?? request.secrets,
    timestampSeconds: signedAt - (change.ageSeconds ?? 0),
    id,
    tampering: change.tampering,
  });
  const headers = {
    'Content-Type': 'application/json',
    ...request.headers,
    ...signature.headers,
  };
  return { headers: change.headers?.(headers, scheme) ?? headers, body };
}
