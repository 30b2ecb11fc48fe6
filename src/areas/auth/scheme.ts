/** The interface of an authentication scheme. Each is a folder that can be deleted, like an area. */

import type { TSchema } from 'typebox';
import type { Awaitable } from '#base/awaitable.js';
import type { Config } from '#config/settings.js';
import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import type { Area, Front } from '#kit/area.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { RequestCollection } from '#kit/request-collection.js';
import type { Runtime } from '#kit/services.js';

export interface Scheme
  extends Pick<Area, 'name' | 'title' | 'settings' | 'securitySchemes' | 'offers'>,
    Pick<Front, 'examples' | 'credentials'> {
  /** The scheme's part of `credentials` in the index of the area. */
  readonly index?: {
    readonly schema: Readonly<Record<string, TSchema>>;
    readonly read: (config: Config) => Readonly<Record<string, unknown>>;
  };
  /** The operations of the scheme in exported request collections. */
  readonly collection?: RequestCollection;
  /** `mac` signs tokens that the area issues and verifies later. */
  readonly endpoints: (runtime: Runtime, mac: KeyedMac) => Awaitable<readonly Endpoint[]>;
}

/** Tells readers of the description where to find the credentials. */
export const seeIndex = 'GET /api/auth lists what is accepted.';
