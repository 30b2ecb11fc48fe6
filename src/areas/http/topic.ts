/** A topic of the HTTP lab: a folder that can be deleted, like an area. */

import type { Area, FixedHeaders, Front, Provided, Services } from '../../kit/area.js';
import type { Endpoint } from '../../kit/endpoint.js';
import type { RequestCollection } from '../../kit/request-collection.js';

export interface Topic
  extends Pick<Area, 'name' | 'title' | 'summary' | 'settings'>,
    Pick<Front, 'start' | 'examples' | 'presets'>,
    Pick<Provided, 'rawPaths'> {
  readonly fixedHeaders?: readonly FixedHeaders[];
  readonly collection?: RequestCollection;
  readonly endpoints: (services: Services) => readonly Endpoint[];
}
