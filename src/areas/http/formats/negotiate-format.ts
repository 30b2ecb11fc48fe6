/** Which format a client likes best: Accept, RFC 9110 section 12.5.1. */

import { negotiateType } from '../../../http/negotiation/negotiate-type.js';
import { type FormatName, formatNames, typesOf } from './write-formats.js';

export interface ChosenFormat {
  readonly name: FormatName;
  /** The name of the format that the client used. */
  readonly mediaType: string;
}

const offers = formatNames.map((name) => ({ name, types: typesOf(name) }));

/** Without a header, or with an empty one, JSON. `undefined` when nothing on offer is accepted. */
export function negotiateFormat(accept: string | undefined): ChosenFormat | undefined {
  const chosen = negotiateType(accept, offers);
  return chosen && { name: chosen.offer.name, mediaType: chosen.mediaType };
}
