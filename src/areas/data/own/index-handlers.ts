/** What there is of one's own: as JSON, as a page for people, and as a description for tools. */

import { passingContent } from '../../../http/caching/content.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { prefersPage } from '../../../http/negotiation/read-preferences.js';
import type { Services } from '../../../kit/area.js';
import { readBuiltFile } from '../../../site/page-files.js';
import { linkToRoot, pathToRoot, sendPage } from '../../../site/send-page.js';
import { Table } from '../../../state/rows/table.js';
import { type Sandbox, sharedSandboxName } from '../../../state/state.js';
import { describeOwn } from './describe-own.js';
import { type InitialData, ownPath } from './initial-data.js';
import type { OwnStore } from './own-store.js';
import { type OwnIndex, renderOwnPage } from './render-page.js';

/** Where the body goes in the page that the build made. */
const bodyMark = '<!-- body -->';

export function indexHandlers(store: OwnStore, { sandboxOf, baseUrlOf }: Services) {
  async function indexOf(data: InitialData, sandbox: Sandbox, baseUrl: string): Promise<OwnIndex> {
    const { datasets, model } = data;
    const relations = model.relations();
    const urlOf = (name: string) => baseUrl + ownPath(name);
    const collections = [...datasets].map(async ([name, dataset]) => ({
      name,
      url: urlOf(name),
      records: (await new Table(sandbox, dataset).list()).length,
      parents: relations.filter(({ children }) => children === name).map(({ parents }) => parents),
    }));
    return {
      collections: await Promise.all(collections),
      singles: [...model.data.members]
        .filter(([, { isSingle }]) => isSingle)
        .map(([name]) => ({ name, url: urlOf(name) })),
      openapi: `${baseUrl}/my/openapi.json`,
    };
  }

  return {
    async index(request: Request, reply: Reply) {
      const sandbox = sandboxOf(request);
      const data = await store.find(sandbox);
      const baseUrl = baseUrlOf(request);
      const index = await indexOf(data, sandbox, baseUrl);
      if (!prefersPage(request.headers.accept)) return index;
      const { shapeOf } = data.model;
      const isShared = sandbox.name === sharedSandboxName;
      const body = renderOwnPage({ index, isShared, baseUrl, shapeOf });
      const built = (await readBuiltFile('my/index.html')).toString('utf8');
      const page = linkToRoot(built, pathToRoot(request.url)).replace(bodyMark, () => body.text);
      return sendPage(
        request,
        reply,
        'my',
        passingContent(Buffer.from(page), 'text/html; charset=utf-8'),
      );
    },

    async describe(request: Request) {
      const { model } = await store.find(sandboxOf(request));
      return describeOwn(model, baseUrlOf(request));
    },
  };
}
