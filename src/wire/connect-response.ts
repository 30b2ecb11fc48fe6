/** The answer to CONNECT: RFC 9110 section 9.3.6. */

import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * What follows the head of a success is no body but what comes out of the tunnel, so no length of it is
 * told: it ends with the connection.
 */
export class ConnectResponse extends ServerResponse {
  constructor(request: IncomingMessage) {
    super(request);
    this.useChunkedEncodingByDefault = false;
  }

  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    const own = typeof message === 'object' ? message : headers;
    if (own !== undefined && !Array.isArray(own)) {
      for (const [name, value] of Object.entries(own)) {
        if (value !== undefined) this.setHeader(name, value);
      }
    }
    if (status < 300) {
      this.removeHeader('content-length');
      this.removeHeader('transfer-encoding');
    }
    return super.writeHead(status);
  }
}
