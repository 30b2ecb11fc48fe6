/** Shows the script, the limits and the verdicts of the sandbox. */

import { counted, showVerdicts } from '../shared/counts.js';
import { byId } from '../shared/element.js';
import { readStatus, type Status } from './api.js';

/** The shown state as text, so that only changes touch the page. */
let shown = '';

export async function refresh(): Promise<void> {
  const [status] = await Promise.all([readStatus(), showVerdicts(['llm', 'llm-streams'])]);
  const state = JSON.stringify(status);
  if (state === shown) return;
  shown = state;
  showStatus(status);
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
