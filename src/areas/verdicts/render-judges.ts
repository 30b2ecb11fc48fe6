/** Renders the plan of each judge. The script of the page fills in the outcomes. */

import { type Html, html } from '#kit/pages/html.js';
import type { Judge } from '#kit/verdict/judge.js';
import type { JudgedRule } from '#kit/verdict/verdict.js';

/** `root` is the relative path to the root of the service. */
export function renderJudges(judges: readonly Judge[], root: string): Html {
  return html`${judges.map((judge) => renderJudge(judge, root))}`;
}

function renderJudge(judge: Judge, root: string): Html {
  const { name, title, says, guide, log, plan, rules, clear } = judge;
  const urls = Object.entries(plan?.urls ?? {});
  return html`<details class="card judge" id="${name}" data-judge="${name}">
      <summary><h2>${title}</h2> <span class="counts" data-counts>${rules.length} rules, none reached</span></summary>
      <p class="quiet">${says}</p>
      <p class="links"><a href="${root}guides/${guide}">Guide</a>${log && html` · <a data-log="${log}">Details as JSON</a>`}</p>
      <div class="ci">
        <label for="${name}-ci">Line for CI</label>
        <input id="${name}-ci" class="code" data-line readonly spellcheck="false">
        <button type="button" data-copy>Copy<span class="unseen"> the line for ${title}</span></button>${
          clear &&
          html`
        <button type="button" data-clear>Clear<span class="unseen"> the verdicts of ${title}</span></button>`
        }
      </div>${
        plan &&
        html`
      <div class="run" data-plan="${plan.path}">
        <button type="button" data-start>Start a run<span class="unseen"> of ${title}</span></button>
        <p class="quiet" data-no-run>A run has a URL for each case. The newest run is shown.</p>
        <dl data-urls hidden>${urls.map(
          ([label, url]) =>
            html`<div><dt>${label}</dt><dd><code data-url="${url}"></code></dd></div>`,
        )}</dl>
      </div>`
      }
      <table>
        <caption class="unseen">${title}</caption>
        <thead><tr><th scope="col">Rule</th><th scope="col">Level</th><th scope="col">Outcome</th><th scope="col">Evidence</th><th scope="col">Section</th></tr></thead>
        <tbody>${rules.map(renderRule)}</tbody>
      </table>
    </details>`;
}

const renderRule = ({ rule, level, section, hint }: JudgedRule): Html =>
  html`<tr data-rule="${rule}" data-outcome="not-reached"><th scope="row"><code>${rule}</code> <span data-hint>${hint}</span></th><td>${level}</td><td data-shown>not reached</td><td data-evidence></td><td>${section}</td></tr>`;
