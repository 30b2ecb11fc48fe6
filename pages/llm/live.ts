/** Shows the script, the limits and the findings of the sandbox. */

import { byId } from '../shared/element.js';
import { counted, showFindings } from '../shared/findings.js';
import { readFindings, readStatus, type Status } from './api.js';
import { refreshRun } from './run.js';

/** The shown state as text, so that only changes touch the page. */
let shown = '';

export async function refresh(): Promise<void> {
  const [status, judged] = await Promise.all([readStatus(), readFindings(), refreshRun()]);
  const state = JSON.stringify([status, judged]);
  if (state === shown) return;
  shown = state;
  showStatus(status);
  const isIdle = judged.rules.every(({ outcome }) => outcome === 'not-reached');
  showFindings(
    judged,
    isIdle
      ? 'The judge compares each request with the responses before it.'
      : 'Nothing is wrong so far.',
  );
}

function showStatus({ turns, used, cancelled, limits, misbehave }: Status): void {
  const hasScript = turns.length > 0 || used > 0;
  byId('live', HTMLParagraphElement).textContent = [
    hasScript ? `Script: ${counted(turns.length, 'turn')} left, ${used} used.` : 'No script.',
    cancelled === 0 ? '' : `The client closed ${counted(cancelled, 'stream')} early.`,
  ]
    .join(' ')
    .trim();
  const { requestsPerMinute, tokensPerMinute } = limits;
  byId('limits', HTMLParagraphElement).textContent =
    `Limits: ${grouped(requestsPerMinute)} requests and ${grouped(tokensPerMinute)} tokens per minute.`;
  byId('misbehaving', HTMLDivElement).hidden = misbehave === null;
  byId('misbehaviour', HTMLElement).textContent =
    misbehave === null ? '' : `${misbehave.name}-${misbehave.at}`;
  byId('end-script', HTMLButtonElement).hidden = !hasScript && misbehave === null;
}

const grouped = (count: number) => count.toLocaleString('en');
