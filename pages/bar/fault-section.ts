/** Faults for the next requests of the sandbox: a status, a delay, or a whole plan. */

import { addressOf } from '../shared/address-of.js';
import { button, element } from '../shared/element.js';
import { endPlan, type Plan, readPlan, startPlan } from './sandbox-api.js';
import type { Panel, Section } from './section.js';

/** Common failures, as examples. */
const readyPlans: readonly (readonly [title: string, plan: object])[] = [
  [
    'Fail twice, then respond',
    {
      rules: [
        {
          name: 'busy',
          sequence: [
            { status: 503, retryAfter: 1 },
            { status: 503, retryAfter: 1 },
          ],
        },
      ],
    },
  ],
  [
    'Do the work and lose the response',
    {
      rules: [
        { name: 'lost', match: { method: 'POST' }, sequence: [{ reset: true, after: true }] },
      ],
    },
  ],
  [
    'Fail three of ten',
    {
      rules: [
        {
          name: 'flaky',
          sequence: [{ probability: 0.3, fault: { status: 500 } }],
          then: 'repeat',
        },
      ],
    },
  ],
  ['Cut the body', { rules: [{ name: 'cut', sequence: [{ truncate: 20 }] }] }],
  ['Never respond', { rules: [{ name: 'silent', sequence: [{ hang: true }] }] }],
];

export function faultSection(panel: Panel): Section {
  const state = element('p', { id: 'bar-plan', class: 'bar-about' });
  const end = button('Stop the faults', () =>
    panel.act(async () => {
      await endPlan();
      return 'Nothing fails any more.';
    }),
  );
  const running = element('div', { class: 'bar-running', hidden: true }, state, end);
  return {
    content: element(
      'section',
      { class: 'bar-section', 'aria-labelledby': 'bar-fault-title' },
      element('h3', { id: 'bar-fault-title' }, 'Fail the next request'),
      running,
      simpleForm(panel),
      planForm(panel),
    ),
    async show({ isShared }) {
      const plan = isShared ? { rules: [] } : await readPlan();
      running.hidden = plan.rules.length === 0;
      state.textContent = describePlan(plan);
    },
  };
}

function describePlan({ rules }: Plan): string {
  return rules
    .map(({ name, sequence, then, acted }) => {
      const left = sequence.length - acted;
      const rest = then !== 'pass' ? 'continues' : left > 0 ? `${left} to come` : 'done';
      return `${name}: acted ${acted} ${acted === 1 ? 'time' : 'times'}, ${rest}`;
    })
    .join('; ');
}

/** Makes the form for a status, a delay, or both, for some requests. */
function simpleForm({ actInOwn }: Panel): HTMLElement {
  const status = number('bar-status', { min: 400, max: 599, value: 503 });
  const delay = number('bar-delay', { min: 0, max: 10, step: 'any', placeholder: '0' });
  const count = number('bar-count', { min: 1, max: 50, value: 1, required: true });
  const form = element(
    'form',
    { class: 'bar-fields' },
    field(status, 'Status'),
    field(delay, 'Delay, s'),
    field(count, 'Requests'),
    element('button', {}, 'Fail'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const seconds = Number(delay.value);
    const fault = {
      ...(status.value !== '' && { status: Number(status.value) }),
      ...(seconds > 0 && { delayMs: Math.round(seconds * 1000) }),
    };
    const times = Number(count.value);
    actInOwn(async () => {
      if (Object.keys(fault).length === 0) throw new Error('Enter a status, a delay, or both.');
      const sequence = Array.from({ length: times }, () => fault);
      await startPlan({ rules: [{ name: 'bar', sequence }] });
      const what = status.value === '' ? `waits ${seconds} s` : `gets ${status.value}`;
      return times === 1
        ? `The next request ${what}.`
        : `Each of the next ${times} requests ${what}.`;
    });
  });
  return form;
}

function planForm({ actInOwn }: Panel): HTMLElement {
  const text = element('textarea', {
    id: 'bar-plan-text',
    rows: 8,
    spellcheck: 'false',
    required: true,
  });
  const show = (index: number) => {
    text.value = JSON.stringify(readyPlans[index]?.[1], null, 2);
  };
  const choice = element(
    'select',
    { id: 'bar-plan-ready' },
    ...readyPlans.map(([title], index) => element('option', { value: index }, title)),
  );
  choice.addEventListener('change', () => show(Number(choice.value)));
  show(0);
  const form = element(
    'form',
    { class: 'bar-field' },
    field(choice, 'Begin with'),
    field(text, 'Rules, as JSON'),
    element(
      'div',
      { class: 'bar-row' },
      element('button', {}, 'Start the plan'),
      element('a', { href: addressOf('/guides/faults') }, 'What a plan can do'),
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    actInOwn(async () => {
      const { rules } = await startPlan(parsePlan(text.value));
      return `The plan is active, with ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}.`;
    });
  });
  return element('details', {}, element('summary', {}, 'A plan'), form);
}

function parsePlan(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The plan must be JSON. ${(error as Error).message}`);
  }
}

function number(id: string, attributes: Readonly<Record<string, string | number | boolean>>) {
  return element('input', { id, type: 'number', ...attributes });
}

function field(control: HTMLElement, label: string): HTMLElement {
  return element('p', {}, element('label', { for: control.id }, label), control);
}
