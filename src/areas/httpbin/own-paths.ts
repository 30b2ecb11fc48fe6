/** Addresses below `/httpbin`, as links and redirects name them. */

import { basePathOf } from '../../http/address/sandbox-address.js';
import type { Request } from '../../http/exchange.js';

/** Where all of it is. */
export const mount = '/httpbin';

/** The base URL of a request, without a slash at the end. */
export type BaseUrlOf = (request: Request) => string;

export class OwnPaths {
  readonly #baseUrlOf: BaseUrlOf;

  constructor(baseUrlOf: BaseUrlOf) {
    this.#baseUrlOf = baseUrlOf;
  }

  /** The URL of a path below the mount, which begins with a slash. */
  url(request: Request, path: string): string {
    return this.#baseUrlOf(request) + mount + path;
  }

  /** The same without scheme and host: below a sandbox, and behind a proxy that has a path, with what stands before. */
  path(request: Request, path: string): string {
    return basePathOf(this.#baseUrlOf(request)) + mount + path;
  }

  /** Whether browsers keep what is sent secret. */
  isHttps(request: Request): boolean {
    return this.#baseUrlOf(request).startsWith('https:');
  }

  /** As the service as a whole is reached, such as `http://localhost:3000`. */
  origin(request: Request): string {
    return new URL(this.#baseUrlOf(request)).origin;
  }
}
