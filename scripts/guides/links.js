/** Resolves links of the documentation: to guides, or to files that exist only in the repository. */

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { withPlaceholders } from './html.js';
import { isGuide } from './is-guide.js';

const { repository } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
/** Begins the address of a file for which there is no URL: `repository` of `package.json` names no public place yet. */
export const onlyInRepository = 'repository:';
const files = repository
  ? `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`
  : onlyInRepository;

/**
 * @param {string} from The name of a page
 * @param {string} target
 * @param {(name: string) => string} guide Returns the URL of a page
 */
function resolve(from, target, guide) {
  if (/^(?:[a-z]+:|#)/.test(target)) return target;
  const [file = '', anchor] = target.split('#');
  const path = posix.join(posix.dirname(`docs/${from}`), file);
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  const [, name] = /^docs\/(.+)\.md$/.exec(path) ?? [];
  if (name !== undefined && isGuide(name)) return guide(name) + fragment;
  const [, image] = /^docs\/(images\/.+)$/.exec(path) ?? [];
  return image === undefined ? files + path + fragment : guide(image);
}

/**
 * Resolves links in the HTML of a page, which the service rewrites for the path of the page.
 *
 * @param {string} from
 */
export function pageLinks(from) {
  return (/** @type {string} */ target) =>
    resolve(from, target, (name) => (name === 'README' ? '../guides' : `../guides/${name}`));
}

/**
 * Makes the links of a text absolute, because it may be read anywhere.
 *
 * @param {string} from
 * @param {string} markdown
 */
export function markdownLinks(from, markdown) {
  const guide = (/** @type {string} */ name) => {
    const path = name === 'README' ? '' : `/${name}`;
    return `http://localhost:3000/guides${path}${name.startsWith('images/') ? '' : '.md'}`;
  };
  let isCode = false;
  const lines = markdown.split('\n').map((line) => {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode) return line;
    return line.replaceAll(/\]\(([^)\s]+)\)|`[^`]*`/g, (all, target) => {
      if (target === undefined) return all;
      const resolved = resolve(from, target, guide);
      if (!resolved.startsWith(onlyInRepository)) return `](${resolved})`;
      return `] (in the repository: ${resolved.slice(onlyInRepository.length)})`;
    });
  });
  return withPlaceholders(lines.join('\n'));
}
