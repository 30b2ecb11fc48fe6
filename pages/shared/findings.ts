/** Shows what the judge of a lab has found about the client, and how many rules it keeps. */

import { byId, element } from './element.js';

export interface Finding {
  readonly rule: string;
  readonly outcome: string;
  readonly section: string;
  readonly sent: string;
  readonly right: string;
  readonly requestId: string;
  readonly at: string;
}

export interface Judged {
  readonly findings: readonly Finding[];
  readonly rules: readonly { readonly rule: string; readonly outcome: string }[];
}

/** `nothing` is shown without findings. */
export function showFindings({ findings, rules }: Judged, nothing: string): void {
  const count = (outcome: string) => rules.filter((each) => each.outcome === outcome).length;
  const doubtful = ['against-advice', 'unclear'].filter((each) => count(each) > 0);
  const shown = ['broken', ...doubtful, 'kept', 'not-reached'];
  const counts = shown.map((each) => `${count(each)} ${inWords(each)}`).join(', ');
  byId('rules-summary', HTMLParagraphElement).textContent = `Rules: ${counts}.`;
  const empty = byId('findings-empty', HTMLParagraphElement);
  empty.hidden = findings.length > 0;
  empty.textContent = nothing;
  byId('forget', HTMLButtonElement).hidden = findings.length === 0;
  byId('findings', HTMLOListElement).replaceChildren(...findings.map(findingView));
}

const inWords = (outcome: string) => outcome.replace('-', ' ');

function findingView({ rule, outcome, section, sent, right, requestId, at }: Finding): HTMLElement {
  return element(
    'li',
    {},
    element('div', { class: 'head' }, element('b', {}, rule), timeOf(at)),
    element('p', {}, element('span', { class: 'quiet' }, 'Sent: '), sent),
    element('p', {}, element('span', { class: 'quiet' }, 'Right: '), right),
    element(
      'p',
      { class: 'quiet' },
      `${inWords(outcome)} · ${section} · request `,
      element('code', {}, requestId),
    ),
  );
}

export function timeOf(at: string): HTMLTimeElement {
  return element('time', { datetime: at, class: 'quiet' }, at.slice(11, 19));
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
