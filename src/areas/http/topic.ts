/** A topic of the HTTP lab: a folder that can be deleted, like an area. */

import type { Area, Front } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { RequestCollection } from '#kit/request-collection.js';
import type { Services } from '#kit/services.js';

export interface Topic
  extends Pick<Area, 'name' | 'title' | 'summary' | 'settings' | 'offers'>,
    Pick<Front, 'start' | 'examples'> {
  readonly collection?: RequestCollection;
  readonly endpoints: (services: Services) => readonly Endpoint[];
}
