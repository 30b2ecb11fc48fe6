/** What statuses mean, and where that is said: the IANA registry of HTTP status codes, in our own words. */

import { STATUS_CODES } from 'node:http';

export interface StatusMeaning {
  /** The reason phrase, as it stands in the status line. */
  readonly reason: string;
  readonly meaning: string;
  /** Where the status is specified. */
  readonly specification: string;
}

/** The meaning, and the place: a section of RFC 9110 where it is a number alone. */
const meanings: Readonly<Record<number, readonly [place: string, meaning: string]>> = {
  100: ['15.2.1', 'The head was accepted; the client may send the body.'],
  101: ['15.2.2', 'The connection continues in the protocol that the client asked for.'],
  102: ['rfc2518#section-10.1', 'The server has the whole request and is still working on it.'],
  103: ['rfc8297#section-2', 'Headers that the final response will likely have, sent ahead.'],
  200: ['15.3.1', 'It worked; the body is what was asked for.'],
  201: ['15.3.2', 'It worked and made something, which Location names.'],
  202: ['15.3.3', 'The request was accepted, and will be worked on later.'],
  203: ['15.3.4', 'It worked, but a proxy has changed the response.'],
  204: ['15.3.5', 'It worked, and there is nothing to send.'],
  205: ['15.3.6', 'It worked; the client should clear the form that it sent.'],
  206: ['15.3.7', 'A part of what is there, as Range asked; Content-Range says which.'],
  207: ['rfc4918#section-11.1', 'Several outcomes, each with a status of its own in the body.'],
  208: ['rfc5842#section-7.1', 'Members of this WebDAV collection were listed before.'],
  226: ['rfc3229#section-10.4.1', 'The difference to the version that the client has.'],
  300: ['15.4.1', 'There are several representations to choose from.'],
  301: ['15.4.2', 'It has moved for good to Location; a POST may become a GET.'],
  302: ['15.4.3', 'It is at Location for now; a POST may become a GET.'],
  303: ['15.4.4', 'The outcome is to be fetched from Location with GET.'],
  304: ['15.4.5', 'What the client has is still right.'],
  305: ['15.4.6', 'Deprecated: once it named a proxy to use.'],
  306: ['15.4.7', 'Reserved: it was in use once, and is no more.'],
  307: ['15.4.8', 'It is at Location for now; method and body stay as they are.'],
  308: ['15.4.9', 'It has moved for good to Location; method and body stay as they are.'],
  400: ['15.5.1', 'The server sees a fault in the request.'],
  401: ['15.5.2', 'Valid credentials are missing; WWW-Authenticate says which kind.'],
  402: ['15.5.3', 'Reserved for payments.'],
  403: ['15.5.4', 'The server understood, and rejects the request.'],
  404: ['15.5.5', 'There is nothing here, or nothing that the client may know of.'],
  405: ['15.5.6', 'The method is known, but not supported here; Allow lists those that are.'],
  406: ['15.5.7', 'There is no representation that the Accept headers want.'],
  407: ['15.5.8', 'The proxy wants credentials; Proxy-Authenticate says which kind.'],
  408: ['15.5.9', 'The request did not arrive in time.'],
  409: ['15.5.10', 'The request conflicts with the state of what it is for.'],
  410: ['15.5.11', 'It was here, is gone, and will not come back.'],
  411: ['15.5.12', 'The request needs a Content-Length.'],
  412: ['15.5.13', 'A condition in the headers of the request does not hold.'],
  413: ['15.5.14', 'The body is larger than the server accepts.'],
  414: ['15.5.15', 'The address is longer than the server reads.'],
  415: ['15.5.16', 'The body has a format or coding that is not supported here.'],
  416: ['15.5.17', 'No range that was asked for lies within what is there.'],
  417: ['15.5.18', 'The server cannot do what Expect demands.'],
  418: ['15.5.19', 'Reserved: it became known by a joke about teapots.'],
  421: ['15.5.20', 'The request came to a server that is not responsible for this host.'],
  422: ['15.5.21', 'The body is well-formed, but what it says cannot be done.'],
  423: ['rfc4918#section-11.3', 'It is locked.'],
  424: ['rfc4918#section-11.4', 'Another action failed that this one needs.'],
  425: ['rfc8470#section-5.2', 'The request came in early data, which could be a replay.'],
  426: ['15.5.22', 'The server wants another protocol, which Upgrade names.'],
  428: ['rfc6585#section-3', 'The request must be conditional, so that nothing is overwritten.'],
  429: ['rfc6585#section-4', 'Too many requests came in a short time.'],
  431: ['rfc6585#section-5', 'The headers are larger than the server accepts.'],
  451: ['rfc7725#section-3', 'The law forbids the response.'],
  500: ['15.6.1', 'The server failed, and did not expect to.'],
  501: ['15.6.2', 'The server cannot do this for anything, such as an unknown method.'],
  502: ['15.6.3', 'A gateway got an invalid response from the server behind it.'],
  503: ['15.6.4', 'The server cannot respond right now; Retry-After may say when.'],
  504: ['15.6.5', 'A gateway got no response from the server behind it in time.'],
  505: ['15.6.6', 'This version of HTTP is not spoken here.'],
  506: ['rfc2295#section-8.1', 'Choosing a representation led back to choosing one.'],
  507: ['rfc4918#section-11.5', 'There is no room to store what the request needs stored.'],
  508: ['rfc5842#section-7.2', 'The server ran into a loop of WebDAV bindings.'],
  510: ['rfc2774#section-7', 'Obsolete: the request lacked an extension.'],
  511: ['rfc6585#section-6', 'The network wants a login before it lets anything through.'],
};

/** A client takes an unknown status for the x00 of its class (RFC 9110 section 15). */
const unassignedByClass = [
  'an interim response',
  'a success',
  'a redirection',
  "a fault of the client's",
  "a fault of the server's",
];

const base = 'https://www.rfc-editor.org/rfc/';

export function meaningOf(status: number): StatusMeaning {
  const [place, meaning] = meanings[status] ?? [];
  if (place === undefined || meaning === undefined) {
    const kind = unassignedByClass[Math.floor(status / 100) - 1] ?? 'unknown';
    return {
      // Node has names for a few that nobody has assigned.
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
