/** What a scheme of authentication is to the area: a folder that can be deleted, like an area. */

import type { TSchema } from 'typebox';
import type { Awaitable } from '../../base/awaitable.js';
import type { Config } from '../../config/settings.js';
import type { KeyedMac } from '../../http/credentials/keyed-mac.js';
import type { Area, Front, Provided, Services } from '../../kit/area.js';
import type { Endpoint } from '../../kit/endpoint.js';
import type { RequestCollection } from '../../kit/request-collection.js';

export interface Scheme
  extends Pick<Area, 'name' | 'title' | 'settings' | 'securitySchemes'>,
    Pick<Front, 'examples' | 'presets' | 'credentials'>,
    Pick<Provided, 'tokenOwner'> {
  /** What is under `credentials` in the index of the area. */
  readonly index?: {
    readonly schema: Readonly<Record<string, TSchema>>;
    readonly read: (config: Config) => Readonly<Record<string, unknown>>;
  };
  /** What collections of requests have to know of its operations. */
  readonly collection?: RequestCollection;
  /** `mac` marks what the area issues and knows again. */
  readonly endpoints: (services: Services, mac: KeyedMac) => Awaitable<readonly Endpoint[]>;
}

/** Where readers of the description find what a scheme lets in. */
export const seeIndex = 'GET /api/auth lists what is accepted.';
