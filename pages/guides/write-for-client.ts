/** Writes highlighted code that sends the request of an example. */

import { highlighted } from '../shared/highlighted.js';
import { callOfExample } from './call-of-example.js';
import { clients } from './clients.js';
import type { Example } from './example.js';

/** Returns `undefined` if the client would send something else than curl. */
export function writeForClient(
  name: string,
  example: Example,
  printed: string,
  baseUrl: string,
): readonly (Node | string)[] | undefined {
  const client = clients[name];
  const call = callOfExample(example, printed, baseUrl);
  if (client === undefined || call === undefined || !client.isExact(call)) return undefined;
  return highlighted(client.write(call), client.language);
}
