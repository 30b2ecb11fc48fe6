/**
 * The headers of every response: a request id, and CORS (WHATWG Fetch, "HTTP extensions") open to every origin.
 * Preflights get a response on every path, while a plain OPTIONS is a method like any other.
 */

import { METHODS } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Config } from '../config/settings.js';
import { forbidStoring } from '../http/caching/caching.js';
import type { Reply, Request } from '../http/exchange.js';
import { isPreflight, respondToPreflight } from '../http/preflight.js';
import type { Step } from '../kit/endpoint.js';

/** For a year, this host alone (RFC 6797). */
const stayOnHttps = 'max-age=31536000';

/** Makes the step that sets what every response has. */
export function commonHeaders({ baseUrl, tlsPort }: Config): Step {
  if (!baseUrl?.startsWith('https:')) {
    return tlsPort === undefined ? setCommonHeaders : setWithHsts;
  }
  return (request, reply) => {
    setCommonHeaders(request, reply);
    reply.header('strict-transport-security', stayOnHttps);
  };
}

/** Only this demo host sends HSTS; elsewhere it would lock users to HTTPS. */
const hstsHost = 'hsts.localhost';
const stayForAnHour = 'max-age=3600';

function setWithHsts(request: Request, reply: Reply): void {
  setCommonHeaders(request, reply);
  if ((request.socket as Partial<TLSSocket>).servername === hstsHost) {
    reply.header('strict-transport-security', stayForAnHour);
  }
}

function setCommonHeaders(request: Request, reply: Reply): void {
  reply.header('x-request-id', request.id);
  reply.header('access-control-allow-origin', '*');
  // Nothing here is credentialed, so it stands for all headers (WHATWG Fetch, "CORS protocol").
  reply.header('access-control-expose-headers', '*');
  forbidStoring(reply);
}

/** Responds to OPTIONS that does not ask for a resource: a preflight, or one for the whole server. */
export function respondToOptions(request: Request, reply: Reply): void {
  if (request.method !== 'OPTIONS') return;
  if (isPreflight(request)) {
    if (!request.route?.spec.takesEverything) respondToPreflight(request, reply);
  } else if (request.url === '*') {
    // RFC 9110 section 9.3.7.
    reply.header('allow', METHODS.join(', ')).code(204).send();
  }
}
