/** The response to CONNECT: RFC 9110 section 9.3.6. */

import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * After the head of a success, a client expects the bytes of a tunnel and no body. The head says no length: the response
 * ends with the connection.
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
