/** The GraphQL IDE: GraphiQL for the endpoint that serves this page, without external files. */

import 'graphiql/style.css';
import './ide.css';
import GraphiQL, { type Fetcher, type Parameters } from 'graphiql';
import type { DocumentNode } from 'graphql';
import { createClient, type RequestParams } from 'graphql-sse';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { addressOf } from '../shared/address-of.js';
import { byId } from '../shared/element.js';
import { addThemeSwitch, applyTheme, currentTheme } from '../shared/theme.js';
import { accountLink } from '../shared/visitor/account-link.js';
import { keyToSend, onKeyChange } from '../shared/visitor/service-key.js';
import { withVisitor } from '../shared/visitor/visitor-headers.js';
import { examples, variablesOf } from './examples.js';
import { nameParts } from './name-parts.js';
import { offerExamples } from './offer-examples.js';

applyTheme();

/** On narrower screens, the documentation would leave no room for the editor. */
const roomForDocs = matchMedia('(min-width: 1000px)').matches;

// Other services at the same origin, such as localhost, have separate tabs.
const storage = GraphiQL.createLocalStorage({ namespace: 'practice-api' });
// The first example is written to GraphiQL's storage, because on the next visit GraphiQL compares the
// first tab with that; an example passed as a property would open another tab each time. Other pages
// use our prefix, too, and a visitor who has emptied the editor has tabs, but no text.
if (['query', 'tabState'].every((key) => storage.getItem(`graphiql:${key}`) === null)) {
  const [first = ''] = examples;
  storage.setItem('graphiql:query', first);
  storage.setItem('graphiql:variables', variablesOf(first));
}

const fetcher: Fetcher = (parameters, options) => {
  const headers = withVisitor(location.href, options?.headers);
  const kind = kindOf(parameters, options?.documentAST);
  return kind === 'subscription' ? subscribe(parameters, headers) : ask(parameters, headers);
};

/** Finds the operation; the named one if there are several. */
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

/** Uses Server-Sent Events, because a browser's WebSocket would not send the headers. */
function subscribe(parameters: Parameters, headers: Headers): AsyncIterable<unknown> {
  const client = createClient({
    url: location.pathname,
    headers: Object.fromEntries(headers),
    // A rejected subscription would be rejected again.
    retryAttempts: 0,
  });
  return client.iterate(parameters as RequestParams);
}

async function ask(parameters: Parameters, given: Headers): Promise<unknown> {
  return (await request(parameters, given)).json();
}

async function request(parameters: Parameters, given: Headers): Promise<Response> {
  const headers = new Headers({
    'Content-Type': 'application/json',
    Accept: 'application/graphql-response+json',
  });
  for (const [name, value] of given) headers.set(name, value);
  // The page and the endpoint have the same URL, behind any proxy.
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers,
    body: JSON.stringify(parameters),
  });
  notice.hidden = response.status !== 401;
  if (response.status === 401) notice.replaceChildren(...accountLink(addressOf('/account')));
  return response;
}

const notice = byId('notice', HTMLParagraphElement);
const container = byId('ide', HTMLDivElement);

/** The header of the page already has the logo. */
const noLogo = createElement('span');

const root = createRoot(container);

/** Renders again after each change of the page's theme. */
function render(): void {
  const editor = createElement(
    GraphiQL,
    {
      fetcher,
      // Without a key, the editor would report the rejected schema in each of its panes.
      ...(lacksKey && { schema: null }),
      storage,
      forcedTheme: currentTheme(),
      // A new tab is empty; the first one has an example.
      defaultQuery: '',
      defaultEditorToolsVisibility: 'variables',
    },
    createElement(GraphiQL.Logo, null, noLogo),
  );
  root.render(editor);
}

let lacksKey = keyToSend() === undefined && (await isRejected());

/** Returns whether the service requires an account; the notice then says so. */
async function isRejected(): Promise<boolean> {
  const headers = withVisitor(location.href);
  const { status } = await request({ query: '{ __typename }' }, headers);
  return status === 401;
}

render();
onKeyChange(() => {
  if (!lacksKey || keyToSend() === undefined) return;
  lacksKey = false;
  render();
});
addThemeSwitch(render);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', render);
offerExamples(container);
nameParts(container);
if (roomForDocs) openDocs();

/** Clicks the button, because the property of GraphiQL opens it in a folded pane. */
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
