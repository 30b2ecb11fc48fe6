/** The guides as the build rendered them: a page for each of `docs/`, and what all of them share. */

import { lazily } from '../../base/lazily.js';
import { readGuideFile } from '../../kit/pages/page-files.js';

export interface Guide {
  /** Such as `auth/basic`; the front of all guides is `README`. */
  readonly name: string;
  readonly title: string;
  /** Its first sentences, as text. */
  readonly lead: string;
  /** What of the navigation is open where it is read. */
  readonly groups: readonly string[];
  /** How many exercises it has. */
  readonly exercises: number;
  /** The contents of the page, as HTML. */
  readonly contents: string;
}

export const frontName = 'README';

/** In the order in which they are read. */
export const loadGuides = lazily(async (): Promise<ReadonlyMap<string, Guide>> => {
  const guides = JSON.parse((await readGuideFile('pages.json')).toString('utf8')) as Guide[];
  return new Map(guides.map((guide) => [guide.name, guide]));
});

/** The names of what stands beside the pages: only those are ever looked for on the disk. */
export const loadGuideFiles = lazily(async (): Promise<ReadonlySet<string>> => {
  return new Set(JSON.parse((await readGuideFile('files.json')).toString('utf8')) as string[]);
});

/** From the root of the service. */
export function guidePath(name: string): string {
  return name === frontName ? '/guides' : `/guides/${name}`;
}
