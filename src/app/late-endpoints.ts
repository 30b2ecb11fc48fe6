/**
 * Areas whose code is loaded by the first request to one of their endpoints. The build lists their methods and paths, which
 * is all that other requests need.
 */

import { Type } from 'typebox';
import type { Awaitable } from '#base/awaitable.js';
import { lazily } from '#base/lazily.js';
import { parametersIn } from '#http/address/route-path.js';
import { type Endpoint, endpoint, secret } from '#kit/endpoint.js';
import { isSecretPart } from '#kit/recording/harmless-names.js';

/** An endpoint, as the build lists it. */
export type ListedEndpoint = readonly [
  methods: string | readonly string[],
  path: string,
  secrets?: readonly string[],
];

/** The contents of `dist/texts/routes.json`, which the build writes. */
export interface ListedRoutes {
  /** By the names in `src/config/variant.ts`; all have the same endpoints. */
  readonly variants: readonly string[];
  readonly areas: Readonly<Record<string, readonly ListedEndpoint[]>>;
}

export function listEndpoints(endpoints: readonly Endpoint[]): readonly ListedEndpoint[] {
  return endpoints.map(({ methods, path, isHeadAdded, spec: { params } }) => {
    const given = isHeadAdded ? 'GET' : methods;
    const secrets = parametersIn(path).filter((name) => isSecretPart(name, params));
    return secrets.length > 0 ? [given, path, secrets] : [given, path];
  });
}

/** Makes an endpoint that is known by its methods and its path, and by which parts of its path are secret. */
const knownEndpoint = ([methods, path, secrets = []]: ListedEndpoint): Endpoint =>
  endpoint(methods, path, {
    params: Object.fromEntries(secrets.map((name) => [name, secret(Type.String())])),
    handle() {
      throw new Error(`${path} is not loaded.`);
    },
  });

export class LateEndpoints {
  readonly known: readonly Endpoint[];
  /** A failure is not kept: the next call tries again. */
  readonly load: () => Promise<readonly Endpoint[]>;
  #loaded: readonly Endpoint[] | undefined;

  constructor(listed: readonly ListedEndpoint[], make: () => Awaitable<readonly Endpoint[]>) {
    this.known = listed.map(knownEndpoint);
    this.load = lazily(async () => {
      const made = await make();
      if (JSON.stringify(listEndpoints(made)) !== JSON.stringify(listed)) {
        throw new Error('The build lists other endpoints. Build again.');
      }
      this.#loaded = made;
      return made;
    });
  }

  /** Whether {@link find} returns the endpoint for one of {@link known}. */
  get isLoaded(): boolean {
    return this.#loaded !== undefined;
  }

  find(known: Endpoint): Endpoint {
    const found = this.#loaded?.[this.known.indexOf(known)];
    if (found === undefined) throw new Error(`${known.path} is not loaded.`);
    return found;
  }
}
