/** THE list of formats, and which of them the response to a request has. */

import { parsePrefer } from '../../../http/body/parse-prefer.js';
import { type Chosen, negotiateType } from '../../../http/codings/negotiate-type.js';
import { notAcceptable } from '../../../http/codings/not-acceptable.js';
import type { Request } from '../../../http/exchange.js';
import { readPreferences } from '../../../http/read-preferences.js';
import { csvFormat } from './csv.js';
import { type Format, jsonFormat, ndjsonFormat } from './format.js';
import { jsonApiFormat } from './json-api.js';
import { xmlFormat } from './xml.js';
import { yamlFormat } from './yaml.js';

/** In the order in which they are preferred between equals. */
export const formats: readonly Format[] = [
  jsonFormat,
  csvFormat,
  xmlFormat,
  yamlFormat,
  ndjsonFormat,
  jsonApiFormat,
];

/** Throws 406 for strict clients that accept nothing that there is: nothing is written for them. */
export function checkAcceptable(request: Request): void {
  if (request.headers.prefer !== undefined) chooseFormat(request);
}

const json: Chosen<Format> = { offer: jsonFormat, mediaType: 'application/json', weight: 1 };

/** Returns JSON for browsers, and where nothing on offer is accepted (RFC 9110 section 12.4.1), unless a client is strict. */
export function chooseFormat({ headers: { accept, prefer } }: Request): Chosen<Format> {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return json;
  const chosen = negotiateType(accept, formats);
  if (chosen !== undefined) {
    const weightOfPage = readPreferences(accept).get('text/html') ?? 0;
    return weightOfPage > chosen.weight ? json : chosen;
  }
  if (parsePrefer(Array.isArray(prefer) ? prefer.join(', ') : prefer).handling !== 'strict') {
    return json;
  }
  const available = formats.flatMap(({ types }) => types);
  throw notAcceptable('Accept rules out all that there is.', available);
}
