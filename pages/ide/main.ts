/** The GraphQL IDE: GraphiQL over the endpoint that serves this page, and nothing from elsewhere. */

import 'graphiql/style.css';
import './ide.css';
import GraphiQL, { type Fetcher, type Parameters } from 'graphiql';
import type { DocumentNode } from 'graphql';
import { createClient, type RequestParams } from 'graphql-sse';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { accountLink } from '../shared/account-link.js';
import { addressOf } from '../shared/address-of.js';
import { byId } from '../shared/element.js';
import { noteRequest } from '../shared/sandbox-name.js';
import { addThemeSwitch, applyTheme, currentTheme } from '../shared/theme.js';
import { withVisitor } from '../shared/visitor-headers.js';
import { exampleDocument, exampleVariables } from './examples.js';
import { offerExamples } from './offer-examples.js';

applyTheme();

/** Below this the documentation would leave no room for the editor. */
const roomForDocs = matchMedia('(min-width: 1000px)').matches;

// Other services at the same address, as on localhost, keep tabs of their own.
const storage = GraphiQL.createLocalStorage({ namespace: 'practice-api' });
// Put where GraphiQL keeps what was typed, since that is all it compares the first tab with on the
// next visit: examples given as properties would open in one more tab each time. Other pages keep things
// under our name, too; and who has emptied the editor has tabs, but no text.
if (['query', 'tabState'].every((key) => storage.getItem(`graphiql:${key}`) === null)) {
  storage.setItem('graphiql:query', exampleDocument);
  storage.setItem('graphiql:variables', exampleVariables);
}

const fetcher: Fetcher = (parameters, options) => {
  const headers = withVisitor(location.href, options?.headers);
  const kind = kindOf(parameters, options?.documentAST);
  if (kind === 'mutation') noteRequest('POST');
  return kind === 'subscription' ? subscribe(parameters, headers) : ask(parameters, headers);
};

/** Of several operations, the one that is named runs. */
function kindOf(
  { operationName }: Parameters,
  document: DocumentNode | undefined,
): string | undefined {
  for (const definition of document?.definitions ?? []) {
    if (definition.kind !== 'OperationDefinition') continue;
    if (!operationName || definition.name?.value === operationName) return definition.operation;
  }
  return undefined;
}

/** As Server-Sent Events: a browser's WebSocket would leave the headers out. */
function subscribe(parameters: Parameters, headers: Headers): AsyncIterable<unknown> {
  const client = createClient({
    url: location.pathname,
    headers: Object.fromEntries(headers),
    // What is refused would be refused again.
    retryAttempts: 0,
  });
  return client.iterate(parameters as RequestParams);
}

async function ask(parameters: Parameters, given: Headers): Promise<unknown> {
  const headers = new Headers({
    'Content-Type': 'application/json',
    Accept: 'application/graphql-response+json',
  });
  for (const [name, value] of given) headers.set(name, value);
  // The page has the address of the endpoint, wherever a proxy has put both.
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers,
    body: JSON.stringify(parameters),
  });
  notice.hidden = response.status !== 401;
  if (response.status === 401) notice.replaceChildren(...accountLink(addressOf('/account')));
  return response.json();
}

const notice = byId('notice', HTMLParagraphElement);
const container = byId('ide', HTMLDivElement);

/** The header of the page names it already. */
const noLogo = createElement('span');

const root = createRoot(container);

/** Again with each change of the theme, which is that of the page. */
function render(): void {
  const editor = createElement(
    GraphiQL,
    {
      fetcher,
      storage,
      forcedTheme: currentTheme(),
      // A new tab is empty: the first one has the examples.
      defaultQuery: '',
      defaultEditorToolsVisibility: 'variables',
    },
    createElement(GraphiQL.Logo, null, noLogo),
  );
  root.render(editor);
}

render();
addThemeSwitch(render);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', render);
offerExamples(container);
if (roomForDocs) openDocs();

/** By its button: told by a property, GraphiQL shows it in a pane that stays folded. */
function openDocs(): void {
  const observer = new MutationObserver(() => {
    const name = 'Show Documentation Explorer';
    const button = container.querySelector<HTMLElement>(`[aria-label="${name}"]`);
    if (button === null) return;
    observer.disconnect();
    button.click();
  });
  observer.observe(container, { childList: true, subtree: true });
}
