/** A request and its response, without any verdict. */

import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Sent {
  readonly method: string;
  /** The path with its query, as on the wire. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array | undefined;
  /**
   * Announced in Content-Length without being sent: a body rejected by its length is never read.
   */
  readonly announcedBytes?: number | undefined;
  /** Keeps connections for other requests; by default each request has its own. */
  readonly agent?: Agent | undefined;
  /** Does not wait for the body of an endless stream. */
  readonly isStreamCut?: boolean;
  /** The client certificate for the host that requests one; with its key, as PEM. */
  readonly certificate?: string | undefined;
}

export interface Received {
  readonly status: number;
  /** Headers by lowercase name; several of a name are joined by comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Sends the request; calls `onHead` with status and headers, for a stream before its body. */
export async function exchange(
  baseUrl: string,
  { method, target, headers, body, announcedBytes, agent, isStreamCut, certificate }: Sent,
  onHead?: () => Promise<unknown>,
): Promise<Received> {
  const { hostname, port } = new URL(baseUrl);
  const length = announcedBytes ?? (body === undefined ? undefined : Buffer.byteLength(body));
  const pairs = [
    ...headers,
    ...(length === undefined ? [] : [['Content-Length', String(length)] as const]),
  ];
  const byTls = {
    cert: certificate,
    key: certificate,
    servername: 'mtls.localhost',
    rejectUnauthorized: false,
  };
  const request = certificate === undefined ? httpRequest : httpsRequest;
  const outgoing = request({
    ...(certificate !== undefined && byTls),
    hostname,
    port,
    method,
    path: target,
    headers: pairs.flat(),
    // A request that announces more than it sends leaves its connection unusable.
    agent: agent ?? false,
  });
  try {
    const response = await responseTo(outgoing, announcedBytes === undefined ? body : null);
    await onHead?.();
    const chunks: Uint8Array[] = [];
    const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
    if (response.statusCode === 101 || (isStreamCut && isStream)) response.destroy();
    else for await (const chunk of response) chunks.push(chunk);
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      ),
      bytes: Buffer.concat(chunks),
    };
  } finally {
    if (agent === undefined) outgoing.destroy();
  }
}

/** `null` sends only the head. */
function responseTo(
  outgoing: ClientRequest,
  body: string | Uint8Array | null | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject);
    // Bytes after an upgrade are no body.
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      response.destroy();
      resolve(response);
    });
    if (body === null) outgoing.flushHeaders();
    else outgoing.end(body);
  });
}
