/** What a topic is to the HTTP lab: a folder that can be deleted, like an area. */

import type { App } from '../../kit/app.js';
import type { Area, FixedHeaders, Front, Provided, Services } from '../../kit/area.js';
import type { RequestCollection } from '../../kit/request-collection.js';

export interface Topic
  extends Pick<Area, 'name' | 'title' | 'summary' | 'settings'>,
    Pick<Front, 'start' | 'examples' | 'presets'>,
    Pick<Provided, 'rawPaths'> {
  readonly fixedHeaders?: readonly FixedHeaders[];
  /** What collections of requests have to know of its operations. */
  readonly collection?: RequestCollection;
  readonly addRoutes: (app: App, services: Services) => void | Promise<void>;
}
