/** The pages that a customer opens: 3D Secure and Checkout. They have no script, and work as form POSTs without a browser. */

import { Type } from 'typebox';
import { readWholeBody } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { type Html, html } from '#kit/pages/html.js';
import { renderPage } from '#kit/pages/plain-page.js';
import type { Sandboxes } from '#kit/services.js';
import type { Sandbox } from '#state/state.js';
import {
  applyPromotion,
  type Checkout,
  completeSession,
  sessionSetUp,
} from '../billing/checkout.js';
import { amountText } from '../engine/call.js';
import { cardNumbered } from '../engine/declarations.js';
import { type CallFacts, type Ledger, type OpenPage, pageSpace } from '../engine/ledger.js';
import type { Stored, Value } from '../engine/objects.js';
import { authenticateIntent } from '../objects/payment-intents.js';
import { authenticateSetup } from '../objects/setup-intents.js';
import { observePage } from '../plan/play.js';
import { newSeed, runForPage } from '../run.js';
import { ApiError } from '../wire/errors.js';
import { parseForm } from '../wire/form.js';

const paths = {
  authenticate: '/payments/authenticate/:key',
  checkout: '/payments/checkout/:key',
} as const;

const description = {
  hide: true,
  isOpen: true,
  params: { key: Type.String() },
  responses: {
    200: { description: 'The page.', content: { 'text/html': { schema: Type.String() } } },
  },
} as const;

interface Opened {
  readonly sandbox: Sandbox;
  readonly page: OpenPage;
}

/** A page of a customer, with the target of its form. */
interface Shown {
  readonly body: Html;
  readonly title: string;
  readonly target?: string | undefined;
  /** The URL to which the browser is redirected. */
  readonly location?: string | undefined;
}

type Act = (ledger: Ledger, object: Stored, form: ReadonlyMap<string, Value>) => Shown;

export function customerPages(sandboxes: Sandboxes): Endpoint[] {
  return [
    ...pagesAt(sandboxes, paths.authenticate, showAuthentication, submitAuthentication),
    ...pagesAt(sandboxes, paths.checkout, showCheckout, submitCheckout),
  ];
}

function pagesAt(sandboxes: Sandboxes, path: string, show: Act, submit: Act): readonly Endpoint[] {
  const handle = (act: Act) => async (request: Request, reply: Reply) => {
    const { sandbox, page } = await open(sandboxes, request);
    const form = request.method === 'POST' ? await readFields(request) : new Map();
    const shown = await runForPage(sandbox, factsOf(request), (ledger) =>
      act(ledger, ledger.get(page.type, page.id), form),
    );
    if (request.method === 'POST') await observePage(sandbox, page, request.id);
    reply.header('cache-control', 'no-store');
    if (shown.location !== undefined) return reply.redirect(shown.location, 303);
    const { title, body, target } = shown;
    return renderPage(title, body).send(reply, { formTarget: target });
  };
  return [
    endpoint('GET', path, { ...description, handle: handle(show) }),
    endpoint('POST', path, { ...description, handle: handle(submit) }),
  ];
}

/** Finds the sandbox by the key in the path, which is random and the only credential. */
async function open(sandboxes: Sandboxes, { params }: Request): Promise<Opened> {
  const { key } = params as { readonly key: string };
  const sandbox = await sandboxes.sandboxHolding(pageSpace, key);
  const page = await sandbox?.read(pageSpace, key);
  if (sandbox !== undefined && page !== undefined) return { sandbox, page };
  throw new HttpError(404, 'This page is unknown: its payment is too old, or was reset.');
}

const factsOf = ({ baseUrl }: Request): CallFacts => ({
  ...{ seed: newSeed(), requestId: null, idempotencyKey: null, baseUrl, isShared: false },
  guide: `${baseUrl}/guides/payments`,
});

async function readFields(request: Request): Promise<ReadonlyMap<string, Value>> {
  const bytes = await readWholeBody(request);
  return parseForm(bytes.toString('utf8'));
}

function showAuthentication(_ledger: Ledger, intent: Stored): Shown {
  const title = '3D Secure';
  if (intent.status !== 'requires_action') {
    return {
      title,
      body: html`<h1>3D Secure</h1><p>Nothing waits here: the status is ${intent.status}.</p>`,
    };
  }
  const what = intent.amount
    ? `a payment of ${amountText(intent.amount, intent.currency)}`
    : 'a card';
  return {
    title,
    target: intent.next_action.redirect_to_url?.return_url,
    body: html`<h1>3D Secure</h1>
<p>The bank asks whether you confirm ${what}. This is a test page: nothing is charged.</p>
<form method="post">
<button name="outcome" value="complete">Complete</button>
<button name="outcome" value="fail">Fail</button>
</form>`,
  };
}

function submitAuthentication(
  ledger: Ledger,
  intent: Stored,
  form: ReadonlyMap<string, Value>,
): Shown {
  const outcome = form.get('outcome');
  if (intent.status !== 'requires_action') return showAuthentication(ledger, intent);
  if (outcome !== 'complete' && outcome !== 'fail') {
    throw new HttpError(400, 'outcome must be complete or fail.');
  }
  const returnUrl = intent.next_action.redirect_to_url?.return_url;
  const isComplete = outcome === 'complete';
  const isPayment = intent.object === 'payment_intent';
  if (isPayment) authenticateIntent(ledger, intent, isComplete);
  else {
    authenticateSetup(ledger, intent, isComplete);
    sessionSetUp(ledger, intent.id);
  }
  const { status, client_secret: secret } = ledger.get(intent.object, intent.id);
  const isDone = status === 'succeeded' || status === 'requires_capture';
  const session = intent._session && ledger.find('checkout.session', intent._session);
  if (session) return { title: 'Checkout', body: html``, location: afterSession(ledger, session) };
  if (returnUrl === undefined) {
    return {
      title: '3D Secure',
      body: html`<h1>3D Secure</h1><p>The status is ${status}. You can close this page.</p>`,
    };
  }
  const name = isPayment ? 'payment_intent' : 'setup_intent';
  return {
    title: '3D Secure',
    body: html``,
    location: withQuery(returnUrl, {
      [name]: intent.id,
      [`${name}_client_secret`]: secret,
      redirect_status: isDone ? 'succeeded' : 'failed',
    }),
  };
}

function withQuery(url: string, values: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
  return target.href;
}

const successUrl = ({ success_url: url, id }: Stored): string =>
  url.replaceAll('{CHECKOUT_SESSION_ID}', id);

/** Returns where a session leads: back to the shop, or again to its page. */
function afterSession(ledger: Ledger, { id }: Stored): string | undefined {
  const session = ledger.get('checkout.session', id);
  return session.status === 'complete' ? successUrl(session) : session.url;
}

function showCheckout(_ledger: Ledger, session: Stored, form: ReadonlyMap<string, Value>): Shown {
  const error = form.get('error');
  const title = 'Checkout';
  if (session.status !== 'open') {
    return { title, body: html`<h1>Checkout</h1><p>This session is ${session.status}.</p>` };
  }
  const items = session._items.map(
    ({ description: name, quantity, amount_total: amount, currency }: Stored) =>
      html`<li>${quantity} × ${name ?? 'Product'}: ${amountText(amount, currency)}</li>`,
  );
  const total = session.amount_total;
  const email = form.get('email') ?? session.customer_email ?? '';
  const label =
    session.mode === 'setup'
      ? 'Save the card'
      : session.mode === 'subscription'
        ? 'Subscribe'
        : 'Pay';
  return {
    title,
    target: session.success_url,
    body: html`<h1>Checkout</h1>
<p>This is a test page: nothing is charged. Use a test card, such as 4242 4242 4242 4242.</p>
${error !== undefined && html`<p role="alert">${error}</p>`}
<ul>${items}</ul>
${total !== null && html`<p>Total: <strong>${amountText(total, session.currency)}</strong></p>`}
<form method="post">
<p><label>Email <input name="email" type="email" required value="${email}" autocomplete="off"></label></p>
<p><label>Name on the card <input name="name" required value="${form.get('name') ?? ''}" autocomplete="off"></label></p>
<p><label>Card number <input name="number" inputmode="numeric" required autocomplete="off"></label></p>
<p><label>Month and year <input name="expiry" placeholder="12 / 34" required autocomplete="off"></label></p>
<p><label>CVC <input name="cvc" inputmode="numeric" required autocomplete="off"></label></p>
${acceptsPromotion(session) && html`<p><label>Promotion code, if you have one <input name="promotion" autocomplete="off"></label></p>`}
<button>${label}</button>
</form>
${session.cancel_url !== null && html`<p><a href="${session.cancel_url}" rel="noreferrer">Back to the shop</a></p>`}`,
  };
}

const acceptsPromotion = (session: Stored): boolean =>
  session.allow_promotion_codes === true &&
  session.mode !== 'setup' &&
  session.discounts.length === 0;

function submitCheckout(ledger: Ledger, session: Stored, form: ReadonlyMap<string, Value>): Shown {
  if (session.status !== 'open') return showCheckout(ledger, session, form);
  const again = (error: string) =>
    showCheckout(ledger, session, new Map([...form, ['error', error]]));
  const read = readCard(form);
  if (typeof read === 'string') return again(read);
  const code = String(form.get('promotion') ?? '').trim();
  const isCode = code !== '' && acceptsPromotion(session);
  const priced = isCode ? applyPromotion(ledger, session, code) : session;
  if (priced === undefined) return again('This promotion code is unknown, or used up.');
  const result = attempt(ledger, priced, read);
  if (result instanceof ApiError) return again(String(result.error.message));
  const action = result.next_action;
  const url = action?.redirect_to_url?.url ?? action?.use_stripe_sdk?.stripe_js;
  const location = result.status === 'requires_action' ? url : afterSession(ledger, session);
  return { title: 'Checkout', body: html``, location };
}

/** A rejected card is shown on the page, as a declined one is. */
function attempt(ledger: Ledger, session: Stored, checkout: Checkout): Stored | ApiError {
  try {
    return completeSession(ledger, session, checkout);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 402) throw error;
    return new ApiError(error.message, { type: 'card_error' });
  }
}

function readCard(form: ReadonlyMap<string, Value>): Checkout | string {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const [email, name, cvc] = [text('email'), text('name'), text('cvc')];
  if (!/^[^\s@]{1,100}@[^\s@]{1,100}$/.test(email)) return 'Enter an email address.';
  if (name === '' || name.length > 200) return 'Enter the name on the card.';
  const card = cardNumbered(text('number').replace(/[ -]/g, ''));
  if (card === undefined) {
    return 'Your card was declined. This page accepts only test cards, which GET /payments lists.';
  }
  const [, month = '', year = ''] = /^(\d{1,2}) ?\/ ?(?:20)?(\d{2})$/.exec(text('expiry')) ?? [];
  if (month === '') return 'Enter the month and year of expiry, such as 12 / 34.';
  const expiry = { exp_month: Number(month), exp_year: 2000 + Number(year) };
  return { card: { number: card.name, cvc, ...expiry }, email, name };
}
