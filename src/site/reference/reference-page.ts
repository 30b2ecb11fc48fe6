/** The API reference: the shell that the build made, with the outline of this service in it. */

import { type Content, contentOf } from '../../http/caching/content.js';
import type { RouteCatalogue } from '../../kit/route-catalogue.js';
import { readBuiltFile } from '../page-files.js';
import { linkToRoot } from '../send-page.js';
import { type ReferenceSection, renderReference } from './render-reference.js';

/** Where the parts go in the shell. */
const railMark = '<!-- rail -->';
const outlineMark = '<!-- outline -->';

/** Gives the page as it is sent from an address from which `root` leads to the root of the service. */
export function referencePage(catalogue: RouteCatalogue): (root: string) => Promise<Content> {
  // An address and the same with a slash at the end are all the depths there are.
  const contents = new Map<string, Content>();
  return async (root) => {
    const known = contents.get(root);
    if (known !== undefined) return known;
    const shell = linkToRoot((await readBuiltFile('docs/index.html')).toString('utf8'), root);
    const { rail, outline } = renderReference(sectionsOf(catalogue));
    const page = shell.replace(railMark, () => rail.text).replace(outlineMark, () => outline.text);
    const content = contentOf(Buffer.from(page), 'text/html; charset=utf-8');
    contents.set(root, content);
    return content;
  };
}

/** In the order of the description: what readers came for before what the service says of itself. */
function sectionsOf(catalogue: RouteCatalogue): ReferenceSection[] {
  const operations = catalogue.operations();
  const areas = [...new Set(catalogue.routes.map(({ area }) => area))];
  const ordered = [
    ...areas.filter(({ isInfrastructure }) => !isInfrastructure),
    ...areas.filter(({ isInfrastructure }) => isInfrastructure),
  ];
  return ordered.map(({ area: { name, title, summary } }) => ({
    name,
    title,
    summary,
    operations: operations.filter(({ area }) => area === name),
  }));
}
