/** The meanings of statuses and their specifications: the IANA registry of HTTP status codes, in other words. */

import { STATUS_CODES } from 'node:http';

export interface StatusMeaning {
  /** The reason phrase of the status line. */
  readonly reason: string;
  readonly meaning: string;
  /** The RFC and section that define the status. */
  readonly specification: string;
}

/** The specification and the meaning. A plain number is a section of RFC 9110. */
const meanings: Readonly<Record<number, readonly [place: string, meaning: string]>> = {
  100: ['15.2.1', 'The server accepted the head; the client may send the body.'],
  101: ['15.2.2', 'The connection switches to the protocol that the client requested.'],
  102: ['rfc2518#section-10.1', 'The server has the complete request and is still processing it.'],
  103: ['rfc8297#section-2', 'Headers that the final response will probably have, sent early.'],
  200: ['15.3.1', 'Success; the body is the requested resource.'],
  201: ['15.3.2', 'Success; Location has the URL of the created resource.'],
  202: ['15.3.3', 'The request was accepted, and will be processed later.'],
  203: ['15.3.4', 'Success, but a proxy has changed the response.'],
  204: ['15.3.5', 'Success, without content.'],
  205: ['15.3.6', 'Success; the client should clear the form that it sent.'],
  206: ['15.3.7', 'The part of the resource that Range requested; Content-Range has its position.'],
  207: ['rfc4918#section-11.1', 'Several results, each with a separate status in the body.'],
  208: ['rfc5842#section-7.1', 'The members of this WebDAV collection were already listed.'],
  226: ['rfc3229#section-10.4.1', "The difference to the client's version."],
  300: ['15.4.1', 'There are several representations to choose from.'],
  301: ['15.4.2', 'Moved permanently to Location; a POST may become a GET.'],
  302: ['15.4.3', 'Temporarily at Location; a POST may become a GET.'],
  303: ['15.4.4', 'GET the result from Location.'],
  304: ['15.4.5', "The client's copy is still valid."],
  305: ['15.4.6', 'Deprecated: it named a proxy to use.'],
  306: ['15.4.7', 'Reserved: formerly used, no longer defined.'],
  307: ['15.4.8', 'Temporarily at Location; method and body do not change.'],
  308: ['15.4.9', 'Moved permanently to Location; method and body do not change.'],
  400: ['15.5.1', 'The request is malformed or invalid.'],
  401: ['15.5.2', 'Valid credentials are missing; WWW-Authenticate names the scheme.'],
  402: ['15.5.3', 'Reserved for payments.'],
  403: ['15.5.4', 'The server understood the request, but rejects it.'],
  404: ['15.5.5', 'Nothing was found, or the client may not know of it.'],
  405: ['15.5.6', 'This resource does not support the method; Allow lists the supported ones.'],
  406: ['15.5.7', 'No representation matches the Accept headers.'],
  407: ['15.5.8', 'The proxy requires credentials; Proxy-Authenticate names the scheme.'],
  408: ['15.5.9', 'The request did not arrive in time.'],
  409: ['15.5.10', 'The request conflicts with the current state of the resource.'],
  410: ['15.5.11', 'The resource was deleted permanently.'],
  411: ['15.5.12', 'The request needs a Content-Length.'],
  412: ['15.5.13', "A condition in the request's headers is not met."],
  413: ['15.5.14', 'The body is larger than the server accepts.'],
  414: ['15.5.15', 'The URL is longer than the server accepts.'],
  415: ['15.5.16', 'The body has an unsupported format or coding.'],
  416: ['15.5.17', 'The requested ranges are outside the representation.'],
  417: ['15.5.18', 'The server cannot do what Expect requires.'],
  418: ['15.5.19', 'Reserved, because of a well-known joke about teapots.'],
  421: ['15.5.20', 'The server is not responsible for this host.'],
  422: ['15.5.21', 'The body is well-formed, but its content cannot be processed.'],
  423: ['rfc4918#section-11.3', 'The resource is locked.'],
  424: ['rfc4918#section-11.4', 'The request depends on another action, which failed.'],
  425: ['rfc8470#section-5.2', 'The request arrived in early data, so it could be a replay.'],
  426: ['15.5.22', 'The server requires another protocol, which Upgrade names.'],
  428: [
    'rfc6585#section-3',
    'The request must be conditional, so that nothing is overwritten by mistake.',
  ],
  429: ['rfc6585#section-4', 'The client sent too many requests in a short time.'],
  431: ['rfc6585#section-5', 'The headers are larger than the server accepts.'],
  451: ['rfc7725#section-3', 'The response is unavailable for legal reasons.'],
  500: ['15.6.1', 'The server failed unexpectedly.'],
  501: ['15.6.2', 'The server does not support this feature, such as an unknown method.'],
  502: ['15.6.3', 'A gateway got an invalid response from the upstream server.'],
  503: ['15.6.4', 'The server is temporarily unavailable; Retry-After may say when to retry.'],
  504: ['15.6.5', 'A gateway got no response from the upstream server in time.'],
  505: ['15.6.6', 'The server does not support this HTTP version.'],
  506: ['rfc2295#section-8.1', 'Content negotiation led back to itself.'],
  507: ['rfc4918#section-11.5', 'The server has no space to store the data of the request.'],
  508: ['rfc5842#section-7.2', 'The server found a loop of WebDAV bindings.'],
  510: ['rfc2774#section-7', 'Obsolete: the request lacks a required extension.'],
  511: ['rfc6585#section-6', 'The network requires a login before it allows access.'],
};

/** A client treats an unknown status as the x00 of its class (RFC 9110 section 15). */
const unassignedByClass = [
  'an interim response',
  'a success',
  'a redirection',
  'a client error',
  'a server error',
];

const base = 'https://www.rfc-editor.org/rfc/';

export function meaningOf(status: number): StatusMeaning {
  const [place, meaning] = meanings[status] ?? [];
  if (place === undefined || meaning === undefined) {
    const kind = unassignedByClass[Math.floor(status / 100) - 1] ?? 'unknown';
    return {
      // Node also has names for a few unassigned statuses.
      reason: 'Unassigned',
      meaning: `This status is not assigned; a client treats it as ${kind}, as ${Math.floor(status / 100)}00.`,
      specification: `${base}rfc9110#section-15`,
    };
  }
  const isOfRfc9110 = !place.startsWith('rfc');
  return {
    reason: STATUS_CODES[status] ?? 'Unused',
    meaning,
    specification: base + (isOfRfc9110 ? `rfc9110#section-${place}` : place),
  };
}
