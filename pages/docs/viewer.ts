/**
 * Swagger UI for the description, adapted to this page: foldable areas, one filter, our own titles.
 */

import SwaggerUI, {
  type SchemeShown,
  type Section,
  type ShownOperation,
  type System,
  type TaggedOperations,
  type Viewer,
} from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './viewer.css';
import { byId } from '../shared/element.js';
import { type Description, operationsOf } from './description.js';
import { fillInCredentials } from './fill-in-credentials.js';
import { requestPreparer } from './prepare-request.js';
import { resolveSubtree } from './resolve-subtree.js';
import { toldToViewer } from './told-description.js';

/** Resolves when everything is shown and filled in. */
export async function showViewer(description: Description, domNode: HTMLElement): Promise<void> {
  const { promise: complete, resolve: onComplete } = promiseWithResolver();
  const hash = hashOf(description, location.hash);
  if (hash !== location.hash) history.replaceState(null, '', hash);
  const viewer = SwaggerUI({
    spec: toldToViewer(description),
    domNode,
    presets: [SwaggerUI.presets.apis],
    plugins: [arrangement(description)],
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    requestSnippetsEnabled: true,
    tryItOutEnabled: true,
    // There is one server, and no other is contacted.
    validatorUrl: null,
    requestInterceptor: requestPreparer(description),
    onComplete,
  });
  await complete;
  followLinks(description, viewer);
  filterAsTyped(description, viewer);
  await fillInCredentials(description, viewer);
}

function promiseWithResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Replaces texts of the viewer; hides the server list, and puts the filter next to the areas. */
function arrangement({ tags, ...description }: Description): (system: System) => unknown {
  const titles = new Map(tags.map((tag) => [tag.name, tag['x-displayName']]));
  const texts = new Map(
    operationsOf({ tags, ...description }).map(({ method, path, summary, tags: [tag = ''] }) => [
      `${method} ${path}`,
      `${method} ${path} ${summary} ${titles.get(tag)}`.toLowerCase(),
    ]),
  );
  const hasAll = (operation: ShownOperation, words: readonly string[]) => {
    const text = texts.get(`${operation.get('method')} ${operation.get('path')}`) ?? '';
    return words.every((word) => text.includes(word));
  };
  return ({ React }) => ({
    wrapComponents: {
      DeepLink: (original: unknown) => (properties: { path: string }) => {
        const title = titles.get(properties.path);
        return React.createElement(original, { ...properties, ...(title && { text: title }) });
      },
    },
    components: {
      FilterContainer: () => null,
      // An empty field of a form is not sent.
      ParameterIncludeEmpty: () => null,
      ServersContainer: () => null,
      // The viewer's component omits the link of the description.
      MutualTLSAuth: ({ name, schema, getComponent }: SchemeShown) =>
        React.createElement(
          'div',
          {},
          React.createElement('h4', {}, `${name} (mutualTLS)`),
          React.createElement(getComponent('Markdown', true), {
            source: schema.get('description'),
          }),
        ),
    },
    fn: {
      resolveSubtree: async (...of: Parameters<typeof resolveSubtree>) => resolveSubtree(...of),
      opsFilter: (tagged: TaggedOperations, phrase: string) => {
        const words = phrase.split(' ');
        return tagged
          .map((section: Section) =>
            section.update('operations', (operations) =>
              operations.filter((operation) => hasAll(operation, words)),
            ),
          )
          .filter((section) => section.get('operations').size > 0);
      },
    },
  });
}

/** Makes links of this page lead to areas and operations, as the viewer's own fragments do. */
function followLinks(description: Description, viewer: Viewer): void {
  addEventListener('hashchange', () => {
    const hash = hashOf(description, location.hash);
    if (hash.startsWith('#/')) viewer.getSystem().layoutActions.parseDeepLinkHash(hash);
  });
}

/**
 * Returns the viewer's fragment for a link, also for old links such as
 * `#tag/auth/GET/api/auth/basic`.
 */
function hashOf(description: Description, hash: string): string {
  const [, tag, method, path] = /^#tag\/([^/]+)(?:\/([A-Z]+)(\/.*))?$/.exec(hash) ?? [];
  if (tag === undefined) return hash;
  const operation = operationsOf(description).find(
    (each) => each.path === path && each.method.toUpperCase() === method,
  );
  return operation === undefined ? `#/${tag}` : `#/${tag}/${operation.operationId}`;
}

function filterAsTyped({ tags }: Description, viewer: Viewer): void {
  const input = byId('filter', HTMLInputElement);
  const { layoutActions } = viewer.getSystem();
  const apply = () => {
    const phrase = input.value.toLowerCase().split(/\s+/).filter(Boolean).join(' ');
    layoutActions.updateFilter(phrase);
    for (const { name } of tags) layoutActions.show(['operations-tag', name], phrase !== '');
  };
  input.addEventListener('input', apply);
  input.closest('p')?.removeAttribute('hidden');
  // A reload keeps the entered text.
  if (input.value !== '') apply();
}
