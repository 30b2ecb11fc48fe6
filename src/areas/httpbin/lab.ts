/** What the handlers below `/httpbin` get handed in, and what a row of the table of routes is. */

import type { Reply, Request, Traits } from '../../http/exchange.js';
import type { EndpointSchema } from '../../kit/app.js';
import type { Services } from '../../kit/area.js';
import type { DigestDoor } from './digest-auth.js';
import type { OwnPaths } from './own-paths.js';

export interface Lab {
  readonly services: Services;
  readonly paths: OwnPaths;
  readonly digest: DigestDoor;
}

export type Handler = (request: Request, reply: Reply, lab: Lab) => unknown;

export interface HttpbinRoute {
  readonly method: string | readonly string[];
  /** Below the mount; letter case does not matter but in parameters. */
  readonly path: string;
  readonly schema: EndpointSchema;
  readonly handler: Handler;
  readonly config?: Traits;
}
