/** Reads the declarations of practice APIs in `data/practice-apis/`. */

import { readPackageFile } from '#base/package/package-files.js';
import type { Dialect, RouteText } from './dialect.js';

export interface Difference {
  /** How it is here. */
  readonly here: string;
  readonly why: string;
}

export interface Declaration
  extends Pick<Dialect, 'title' | 'summary' | 'follows' | 'description' | 'keepsWrites'> {
  /** A path below the base URL to try first. */
  readonly first: string;
  /** Base URLs below the mount, such as `/v2`. Default: the mount itself. */
  readonly bases?: readonly string[];
  /** A second base URL, and the one below the mount whose routes it has. */
  readonly alias?: readonly [also: string, base: string];
  /** Matches paths that clients send to the root if they forget the base URL. */
  readonly hints: string;
  readonly differences: readonly Difference[];
  readonly limit?: {
    readonly requests: number;
    readonly seconds: number;
    readonly status: number;
    readonly body: unknown;
  };
  readonly schemas?: Readonly<Record<string, object>>;
  /** By the id of the operation: `GET /path`, the summary, and the rest of the description. */
  readonly routes: Readonly<
    Record<string, readonly [target: string, summary: string, text?: RouteText]>
  >;
  readonly collections?: Readonly<Record<string, CollectionDeclaration>>;
}

interface CollectionDeclaration {
  readonly count: number;
  readonly of: object;
  readonly idName?: string;
  /** Members of the records of some ids. */
  readonly except?: Readonly<Record<string, object>>;
}

export const readJson = (name: string): unknown =>
  JSON.parse(String(readPackageFile(`data/practice-apis/${name}.json`)));

export const declarationOf = (name: string) => readJson(name) as Declaration;

/** Returns the methods of a target such as `GET /pet`, and its paths below the mount. */
export function readTarget(
  target: string,
  [also, base]: NonNullable<Declaration['alias']> | readonly [] = [],
): { readonly methods: readonly string[]; readonly paths: readonly string[] } {
  const [methods = '', path = ''] = target.split(' ');
  const isTwice = base !== undefined && path.startsWith(`${base}/`);
  const paths = isTwice ? [path, also + path.slice(base.length)] : [path];
  return { methods: methods.split(','), paths };
}
