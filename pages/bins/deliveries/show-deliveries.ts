/** Subscriptions of the sandbox and their deliveries, which are read again while the view is open. */

import { addressOf } from '../../shared/address-of.js';
import { attempt } from '../../shared/attempt.js';
import { button, byId, element } from '../../shared/element.js';
import { announce } from '../announce.js';
import { callJsonInSandbox } from '../sandbox.js';

interface Subscription {
  readonly id: string;
  readonly name: string | null;
  readonly events: readonly string[];
  readonly scheme: string;
  readonly state: 'enabled' | 'disabled';
  readonly disabledBecause?: string;
}

interface Delivery {
  readonly id: string;
  readonly event: { readonly type: string; readonly at: string };
  readonly attempt: number;
  readonly state: string;
  readonly nextAttemptAt: string | null;
  readonly lastStatus: number | null;
  readonly repeated?: string;
}

const section = byId('deliveries', HTMLElement);
const title = byId('deliveries-title', HTMLHeadingElement);
const list = byId('subscriptions', HTMLUListElement);
const rows = byId('delivery-rows', HTMLTableSectionElement);
const table = byId('delivery-table', HTMLDivElement);
const secretLine = byId('subscription-secret', HTMLParagraphElement);
const listenLine = byId('listen-line', HTMLPreElement);
const none = byId('no-deliveries', HTMLParagraphElement);

const lookAgainMs = 2000;
const shownDeliveries = 50;

let timer: ReturnType<typeof setInterval> | undefined;
let chosen: string | undefined;
let shown = '';

const subscriptions = (rest = '') => addressOf(`/api/webhooks/subscriptions${rest}`);

export function openDeliveries(sandbox: string): void {
  section.hidden = false;
  document.title = 'Webhook deliveries · Practice API';
  const named = sandbox === '' ? '' : ` --sandbox ${sandbox}`;
  const line = `practice-api listen --url ${addressOf('').replace(/\/$/, '')}${named} --forward http://localhost:8000/hook`;
  const parts = line.split(/(--\w+)/).map((part, index) => {
    return index % 2 === 1 ? element('span', { class: 'unbroken' }, part) : part;
  });
  listenLine.replaceChildren(...parts);
  attempt(refresh);
  timer ??= setInterval(() => {
    if (document.visibilityState === 'visible') void refresh().catch(() => {});
  }, lookAgainMs);
}

export function closeDeliveries(): void {
  clearInterval(timer);
  timer = undefined;
  section.hidden = true;
}

byId('subscribe', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  attempt(subscribe);
});

async function subscribe(): Promise<void> {
  const events = byId('subscribe-events', HTMLInputElement)
    .value.split(/[\s,]+/)
    .filter(Boolean);
  const scheme = byId('subscribe-scheme', HTMLSelectElement).value;
  const made = await callJsonInSandbox<Subscription & { readonly secret: string }>(
    subscriptions(),
    'POST',
    { events, scheme },
  );
  chosen = made.id;
  secretLine.replaceChildren('The secret, shown only now: ', element('code', {}, made.secret));
  secretLine.hidden = false;
  await refresh();
}

async function refresh(): Promise<void> {
  const all = await callJsonInSandbox<readonly Subscription[]>(subscriptions());
  if (!all.some(({ id }) => id === chosen)) chosen = all[0]?.id;
  const url = subscriptions(`/${chosen}/deliveries?limit=${shownDeliveries}`);
  const { deliveries } =
    chosen === undefined
      ? { deliveries: [] }
      : await callJsonInSandbox<{ readonly deliveries: readonly Delivery[] }>(url);
  const next = JSON.stringify([all, chosen, deliveries]);
  if (next === shown) return;
  shown = next;
  const focused = (document.activeElement as HTMLElement | null)?.dataset.key;
  list.replaceChildren(...all.map(subscriptionItem));
  rows.replaceChildren(...deliveries.map(deliveryRow));
  table.hidden = deliveries.length === 0;
  none.hidden = !table.hidden;
  none.textContent =
    all.length === 0
      ? 'No subscription yet. Each change in the sandbox is an event: subscribe to some.'
      : 'No delivery yet. Change a record, or POST a test event.';
  if (focused !== undefined) (buttonOf(focused) ?? title).focus({ preventScroll: true });
}

/** Finds the button that replaces another one of the same purpose. */
function buttonOf(key: string): HTMLElement | null {
  return section.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
}

function subscriptionItem(subscription: Subscription): HTMLLIElement {
  const { id, name, events, scheme, state, disabledBecause } = subscription;
  const choose = () => {
    chosen = id;
    attempt(refresh);
  };
  const change = (path: string, method: string, body?: object) => () =>
    attempt(async () => {
      await callJsonInSandbox(subscriptions(path), method, body);
      await refresh();
    });
  const acts = [
    ...(state === 'disabled'
      ? [
          button('Enable', change(`/${id}`, 'PATCH', { state: 'enabled' }), {
            'data-key': `enable ${id}`,
          }),
        ]
      : []),
    button('Delete', change(`/${id}`, 'DELETE'), { class: 'danger', 'data-key': `delete ${id}` }),
  ];
  return element(
    'li',
    { class: 'subscription row' },
    button(name ?? events.join(', '), choose, {
      'aria-pressed': String(id === chosen),
      'data-key': id,
    }),
    element('span', { class: 'quiet' }, `${scheme}, ${disabledBecause ?? state}`),
    ...acts,
  );
}

function deliveryRow(delivery: Delivery): HTMLTableRowElement {
  const { id, event, attempt: number, state, lastStatus, nextAttemptAt, repeated } = delivery;
  const redeliver = () =>
    attempt(async () => {
      const path = `/${chosen}/deliveries/${id}/redeliver`;
      await callJsonInSandbox(subscriptions(path), 'POST');
      await refresh();
      announce(`${event.type} is due again.`);
    });
  const time = (iso: string) => new Date(iso).toLocaleTimeString();
  const next = state === 'waiting' && nextAttemptAt !== null ? `, due ${time(nextAttemptAt)}` : '';
  return element(
    'tr',
    {},
    element('td', {}, time(event.at)),
    element('td', { class: 'code' }, event.type),
    element('td', {}, `${state}${next}${repeated === undefined ? '' : ` (${repeated})`}`),
    element('td', {}, lastStatus === null ? '–' : String(lastStatus)),
    element('td', {}, String(number)),
    element(
      'td',
      {},
      button('Redeliver', redeliver, {
        'aria-label': `Redeliver ${event.type} of ${time(event.at)}`,
        'data-key': id,
      }),
    ),
  );
}
