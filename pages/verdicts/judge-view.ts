/** Fills the outcomes into the plan of a judge, which is in the page. */

import { inWords, outcomes } from '../shared/counts.js';
import { element } from '../shared/element.js';
import type { Judged, Verdict } from './api.js';
import { openRequest } from './open-request.js';

const none = 'not-reached';
const maxShownEvidence = 5;

export const isReached = ({ verdicts }: Judged) => verdicts.length > 0;

/** `place` is the URL of the sandbox. */
export function showJudged(section: HTMLDetailsElement, judged: Judged, place: string): void {
  const { counts, verdicts, run } = judged;
  const shownCounts = find(section, '[data-counts]');
  shownCounts.replaceChildren(
    ...outcomes
      .filter((each) => counts[each] > 0)
      .map((each) => element('span', { 'data-outcome': each }, `${counts[each]} ${inWords(each)}`)),
  );
  section.dataset.reached = String(isReached(judged));
  const byRule = new Map(verdicts.map((each) => [each.rule, each]));
  for (const row of section.querySelectorAll<HTMLTableRowElement>('[data-rule]')) {
    showVerdict(row, byRule.get(row.dataset.rule ?? ''));
  }
  showRun(section, run, place);
}

function showVerdict(row: HTMLTableRowElement, verdict: Verdict | undefined): void {
  const state = JSON.stringify(verdict ?? null);
  if (row.dataset.state === state || (verdict === undefined && row.dataset.outcome === none))
    return;
  row.dataset.state = state;
  row.dataset.outcome = verdict?.outcome ?? none;
  const { outcome = none, seen, decidedBy, evidence = [] } = verdict ?? {};
  find(row, '[data-shown]').replaceChildren(
    element('b', {}, inWords(outcome)),
    ...note('Seen: ', seen),
    ...note('Decided by: ', decidedBy),
  );
  find(row, '[data-evidence]').replaceChildren(
    ...evidence.slice(-maxShownEvidence).map(evidenceButton),
    ...(evidence.length > maxShownEvidence
      ? [element('small', {}, `and ${evidence.length - maxShownEvidence} earlier`)]
      : []),
  );
  if (verdict !== undefined) find(row, '[data-hint]').textContent = verdict.hint;
}

function note(label: string, text: string | undefined): HTMLElement[] {
  if (text === undefined || text === '') return [];
  return [element('small', {}, element('span', { class: 'quiet' }, label), text)];
}

function evidenceButton(id: string): HTMLButtonElement {
  const made = element(
    'button',
    { type: 'button', class: 'code request' },
    element('span', { class: 'unseen' }, 'Open the request '),
    // Ids of the service begin alike.
    id.length > 11 ? `…${id.slice(-10)}` : id,
  );
  made.addEventListener('click', () => void openRequest(id));
  return made;
}

function showRun(section: HTMLElement, run: string | undefined, place: string): void {
  const urls = section.querySelector<HTMLElement>('[data-urls]');
  if (urls === null) return;
  urls.hidden = run === undefined;
  for (const each of urls.querySelectorAll<HTMLElement>('[data-url]')) {
    const url = place + (each.dataset.url ?? '').replace('{run}', run ?? '');
    if (each.textContent !== url) each.textContent = url;
  }
}

/** The page has it. */
export function find(within: Element, selector: string): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}
