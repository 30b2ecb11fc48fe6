/** The contents of the area, as a list for programs and a page for browsers. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { type Endpoint, endpoint, unvalidated } from '#kit/endpoint.js';
import { type Html, html } from '#kit/pages/html.js';
import { sendList } from '#kit/pages/list-page.js';
import { pageResponseHeaders } from '#kit/pages/send-page.js';
import { testCards } from '../engine/declarations.js';
import { apiVersion } from '../engine/ledger.js';
import { keys } from '../wire/keys.js';

/** The versions of Stripe's package that tests use. */
export const pinned = { apiVersion, stripe: '20.4.1' } as const;

/** Lines that lead each SDK to this service. */
function clientLines(url: URL): Readonly<Record<string, string>> {
  const { hostname: host, origin } = url;
  const scheme = url.protocol.slice(0, -1);
  const port = url.port || (scheme === 'https' ? '443' : '80');
  const key = keys.secret;
  return {
    'Node.js': `new Stripe('${key}', { host: '${host}', port: ${port}, protocol: '${scheme}' })`,
    Python: `stripe.api_key, stripe.api_base = '${key}', '${origin}'`,
    PHP: `new \\Stripe\\StripeClient(['api_key' => '${key}', 'api_base' => '${origin}'])`,
    Ruby: `Stripe.api_key = '${key}'; Stripe.api_base = '${origin}'`,
    Java: `StripeClient.builder().setApiKey("${key}").setApiBase("${origin}").build()`,
    Go: `stripe.Key = "${key}"; stripe.SetBackend(stripe.APIBackend, stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{URL: stripe.String("${origin}")}))`,
    '.NET': `new StripeClient("${key}", apiBase: "${origin}")`,
  };
}

const text = Type.String();
const list = Type.Object(
  {
    url: text,
    keys: Type.Record(text, text),
    pinned: Type.Object({ apiVersion: text, stripe: text }),
    clients: Type.Record(text, text),
    operations: Type.Array(text),
    testPlan: text,
    testCards: Type.Array(Type.Object({ number: text, paymentMethod: text, behaviour: text })),
  },
  { title: 'Payments' },
);

function behaviourOf(card: ReturnType<typeof testCards>[number]): string {
  const { decline, threeD, dispute, fraudWarning, refund, risk } = card;
  const { checks = {}, isAvailable, isRejected } = card;
  const facts = [
    ...(isRejected ? ['rejected'] : []),
    ...(decline ? [`declined: ${decline.decline_code ?? decline.code}`] : []),
    ...(threeD ? [`3D Secure: ${threeD}`] : []),
    ...(dispute ? [`disputed: ${dispute.reason} (${dispute.case_type})`] : []),
    ...(fraudWarning ? [`early fraud warning: ${fraudWarning}`] : []),
    ...(refund ? [`refund: ${refund}`] : []),
    ...(risk ? [`risk: ${risk}`] : []),
    ...Object.entries(checks).map(([name, result]) => `${name}: ${result}`),
    ...(isAvailable ? ['available at once'] : []),
  ];
  const { brand = 'visa', country = 'US' } = card;
  return facts.length > 0 ? facts.join(', ') : `succeeds (${brand}, ${country})`;
}

/** `operations` are written as method and path. */
export function indexPage(operations: readonly string[]): Endpoint {
  const describe = ({ baseUrl }: Request) => ({
    ...{ url: `${baseUrl}/v1`, keys, pinned, clients: clientLines(new URL(baseUrl)), operations },
    testPlan: `${baseUrl}/payments/test-plan`,
    testCards: testCards().map((card) => ({
      number: card.number,
      ...{ paymentMethod: `pm_card_${card.name}`, behaviour: behaviourOf(card) },
    })),
  });
  return endpoint('GET', '/payments', {
    summary: 'Describe the payments API, or get the page',
    description:
      'Has the form of the Stripe API, at /v1, with state. Lists keys, SDKs, operations and test cards.',
    responses: {
      200: {
        description: 'The description, or the page for browsers.',
        content: { 'application/json': { schema: list }, 'text/html': { schema: text } },
      },
      304: Type.Null({ description: "The browser's copy of the page is current." }),
    },
    responseHeaders: {
      200: { ...vary, ...optional(pageResponseHeaders[200]) },
      304: { ...vary, ...pageResponseHeaders[304] },
    },
    headers: unvalidated(ifNoneMatch),
    isOpen: ({ headers }) => prefersPage(headers.accept),
    handle: (request, reply) =>
      sendList(request, reply, describe(request), (described, pathToRoot) => ({
        title: 'Payments',
        says: `This API has the form of the Stripe API, version ${pinned.apiVersion}, with state. Nothing is charged.`,
        guide: 'payments',
        section: 'payments',
        parts: partsOf(described, pathToRoot),
      })),
  });
}

function partsOf(
  described: {
    readonly clients: Readonly<Record<string, string>>;
    readonly operations: readonly string[];
    readonly testCards: readonly Readonly<Record<string, string>>[];
  },
  pathToRoot: string,
): readonly Html[] {
  const clients = Object.entries(described.clients).map(
    ([name, line]) => html`<h3>${name}</h3>
<pre tabindex="0"><code>${line}</code></pre>`,
  );
  const cards = described.testCards.map(
    ({ number = '', paymentMethod = '', behaviour = '' }) =>
      html`<tr><td><code>${number}</code></td><td><code>${paymentMethod}</code></td><td>${behaviour}</td></tr>`,
  );
  const operations = described.operations.map((each) => html`<li><code>${each}</code></li>`);
  return [
    html`<p>The key names your sandbox: <code>${keys.ofSandbox}</code>. All callers of <code>${keys.secret}</code> share one.
With accounts, use <code>${keys.ofAccount}</code>.</p>
<p><a href="${pathToRoot}payments/test-plan">Ten cases</a> test a client. <a href="${pathToRoot}verdicts#payments-plan">Verdicts</a> shows what yours did.</p>
<h2>Use it from an SDK</h2>
${clients}
<h2>Test cards</h2>
<div class="table" tabindex="0" role="region" aria-label="Test cards">
<table><thead><tr><th>Number</th><th>Payment method</th><th>Behaviour</th></tr></thead><tbody>${cards}</tbody></table>
</div>
<h2>Operations</h2>
<ul>${operations}</ul>`,
  ];
}
