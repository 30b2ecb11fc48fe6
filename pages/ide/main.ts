/** The GraphQL IDE: GraphiQL over the endpoint that serves this page, and nothing from elsewhere. */

import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { createLocalStorage, type Fetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { exampleDocument, exampleVariables } from './examples.js';

/** Below this the documentation would leave no room for the editor. */
const roomForDocs = matchMedia('(min-width: 1000px)').matches;

// Other services at the same address, as on localhost, keep tabs of their own.
const storage = createLocalStorage({ namespace: 'practice-api' });

const fetcher: Fetcher = async (parameters, options) => {
  const headers = new Headers({
    'Content-Type': 'application/json',
    Accept: 'application/graphql-response+json',
  });
  for (const [name, value] of Object.entries(options?.headers ?? {})) headers.set(name, value);
  // The page has the address of the endpoint, wherever a proxy has put both.
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers,
    body: JSON.stringify(parameters),
  });
  return response.json();
};

const logo = createElement('a', { className: 'home', href: './' }, 'Practice API');

const editor = createElement(
  GraphiQL,
  {
    fetcher,
    storage,
    defaultQuery: exampleDocument,
    // Given on every visit they would open one more tab on each.
    ...(storage.length === 0 && { initialVariables: exampleVariables }),
    defaultEditorToolsVisibility: 'variables',
    ...(roomForDocs && { visiblePlugin: 'Documentation Explorer' }),
  },
  createElement(GraphiQL.Logo, null, logo),
);

const container = document.getElementById('ide');
if (container === null) throw new Error('The page has no element to put the editor into.');
createRoot(container).render(editor);
