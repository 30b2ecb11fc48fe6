/** Guides from the build: a page for each file of `docs/`, and shared parts. */

import { lazily } from '#base/lazily.js';
import { readGuideFile } from '#kit/pages/page-files.js';

export interface Guide {
  /** Such as `auth/basic`; the start page of the guides is `README`. */
  readonly name: string;
  readonly title: string;
  /** Its first sentences, as text. */
  readonly lead: string;
  /** Navigation groups that are open on this page. */
  readonly groups: readonly string[];
  /** Number of exercises. */
  readonly exercises: number;
  /** The page's table of contents, as HTML. */
  readonly contents: string;
}

export const frontName = 'README';

/** In reading order. */
export const loadGuides = lazily(async (): Promise<ReadonlyMap<string, Guide>> => {
  const guides = JSON.parse((await readGuideFile('pages.json')).toString('utf8')) as Guide[];
  return new Map(guides.map((guide) => [guide.name, guide]));
});

/** Names of files other than pages; only these are read from the disk. */
export const loadGuideFiles = lazily(async (): Promise<ReadonlySet<string>> => {
  return new Set(JSON.parse((await readGuideFile('files.json')).toString('utf8')) as string[]);
});

/** From the root of the service. */
export function guidePath(name: string): string {
  return name === frontName ? '/guides' : `/guides/${name}`;
}
