/** The front page: the shell that the build made, with the areas of this service in it. */

import type { Config } from '../../config/settings.js';
import { addressedContent, placeholderHost } from '../../http/caching/addressed-content.js';
import type { Content } from '../../http/caching/content.js';
import type { Area } from '../../kit/area.js';
import type { OperationSummary } from '../../kit/route-catalogue.js';
import { readBuiltFile } from '../page-files.js';
import { linkToRoot } from '../send-page.js';
import { renderLanding } from './render-landing.js';

/** Where the body goes in the shell. */
const bodyMark = '<!-- body -->';

/** Stands for a host in brackets: code for a shell quotes those. An address that nobody has (RFC 6666). */
const placeholderAddress = '[100::ba5e]';

/** The only address of the page is the root itself. */
const root = './';

interface LandingParts {
  readonly areas: readonly Area[];
  readonly config: Config;
  /** Asked when the page is first made, when all routes are there. */
  readonly operations: () => readonly OperationSummary[];
}

/** Where the page is asked for: it is the root itself, of the service or of a sandbox below `/s/`. */
export interface LandingPlace {
  readonly baseUrl: string;
  /** Whether the base URL names a sandbox. */
  readonly isInside: boolean;
  /** Whether it ends where the name does, so that relative addresses begin one level higher. */
  readonly isWithoutSlash: boolean;
}

/** Gives the page whose examples call the service at this base URL. */
export function landingPage({
  areas,
  config,
  operations,
}: LandingParts): (place: LandingPlace) => Promise<Content> {
  async function render(host: string, isInside: boolean): Promise<string> {
    const shell = linkToRoot((await readBuiltFile('landing/index.html')).toString('utf8'), root);
    // Of what a configured address has in it, quotes and escapes depend.
    const baseUrl = config.baseUrl ?? `http://${host}`;
    const body = renderLanding({
      areas,
      config,
      operations: operations(),
      baseUrl,
      root,
      isInside,
    });
    return shell.replace(bodyMark, () => body.text);
  }

  function pagesFor(isInside: boolean, finish?: (text: string, baseUrl: string) => string) {
    const pageOf = (host: string) =>
      addressedContent('text/html; charset=utf-8', () => render(host, isInside), host, finish);
    const named = pageOf(placeholderHost);
    const bracketed = pageOf(placeholderAddress);
    return (baseUrl: string) => (baseUrl.includes('[') ? bracketed : named)(baseUrl);
  }
  const outside = pagesFor(false);
  const inside = pagesFor(true);
  const withoutSlash = pagesFor(true, (text, baseUrl) => {
    const name = baseUrl.slice(baseUrl.lastIndexOf('/') + 1);
    return text.replaceAll(`="${root}`, `="${root}${name}/`);
  });
  return ({ baseUrl, isInside, isWithoutSlash }) => {
    if (!isInside) return outside(baseUrl);
    return (isWithoutSlash ? withoutSlash : inside)(baseUrl);
  };
}
