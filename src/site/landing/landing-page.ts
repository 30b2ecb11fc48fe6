/** The front page: the shell that the build made, with the areas of this service in it. */

import { createBoundedCache } from '../../bounded-cache.js';
import type { Config } from '../../config/settings.js';
import type { Area } from '../../server/area.js';
import { type Content, contentOf } from '../../server/content.js';
import type { OperationSummary } from '../../server/route-catalogue.js';
import { readBuiltFile } from '../page-files.js';
import { linkToRoot } from '../send-page.js';
import { renderLanding } from './render-landing.js';

/** Callers can make up hosts, so only the pages for the latest are kept. */
const maxKept = 20;

/** Where the body goes in the shell. */
const bodyMark = '<!-- body -->';

interface LandingOptions {
  readonly areas: readonly Area[];
  readonly operations: readonly OperationSummary[];
  readonly config: Config;
}

/** Gives the page whose examples call the service at this base URL. */
export function landingPage(options: LandingOptions): (baseUrl: string) => Promise<Content> {
  // The only address of the page is the root itself.
  const root = './';
  let shell: Promise<string> | undefined;

  async function render(baseUrl: string): Promise<Content> {
    shell ??= readBuiltFile('landing/index.html').then((bytes) =>
      linkToRoot(bytes.toString('utf8'), root),
    );
    const body = renderLanding({ ...options, baseUrl, root });
    const page = (await shell).replace(bodyMark, () => body.text);
    return contentOf(Buffer.from(page), 'text/html; charset=utf-8');
  }

  const kept = createBoundedCache<Promise<Content>>({ maxEntries: maxKept });
  return (baseUrl: string) => kept.get(baseUrl, render);
}
