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
