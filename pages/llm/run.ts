/** Shows the newest run of the test plan that this browser has started. */

import { ApiError } from '../shared/call.js';
import { byId, element } from '../shared/element.js';
import { readStored, store } from '../shared/stored-text.js';
import { readRun, type Step, startRun } from './api.js';
import { copyField } from './connect.js';

const runKey = 'practice-api-llm-run';
const outcomes = ['handled', 'mishandled', 'either', 'not-reached'] as const;

const url = byId('run-url', HTMLInputElement);
copyField('copy-run-url', url);

/** The shown state as text, so that only changes touch the page. */
let shown = '';

export async function beginRun(): Promise<void> {
  store(runKey, await startRun());
  await refreshRun();
}

/** Another sandbox does not have the run. */
export async function refreshRun(): Promise<void> {
  const run = readStored(runKey);
  if (run === null || run === '') return;
  try {
    show(await readRun(run));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    store(runKey, '');
    show([]);
  }
}

function show(steps: readonly Step[]): void {
  const state = JSON.stringify(steps);
  if (state === shown) return;
  shown = state;
  byId('run', HTMLDivElement).hidden = steps.length === 0;
  byId('run-empty', HTMLParagraphElement).hidden = steps.length > 0;
  const count = (outcome: string) => steps.filter((step) => step.outcome === outcome).length;
  byId('run-summary', HTMLParagraphElement).textContent =
    `${steps.length} cases: ${outcomes.map((each) => `${count(each)} ${each}`).join(', ')}.`;
  url.value = steps[0]?.openai.replace(/[^/]+(?=\/openai\/v1$)/, '{case}') ?? '';
  const met = steps.filter(({ outcome }) => outcome !== 'not-reached');
  const list = byId('steps', HTMLUListElement);
  // It scrolls, also by keyboard.
  list.tabIndex = met.length > 0 ? 0 : -1;
  list.replaceChildren(...met.map(stepView));
}

function stepView({ case: name, outcome, evidence }: Step): HTMLElement {
  return element(
    'li',
    { 'data-outcome': outcome },
    element('code', {}, name),
    element('span', {}, element('b', {}, outcome), `. ${evidence}`),
  );
}
