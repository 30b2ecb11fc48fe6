/** Renders the lists of the page: tools, resources, prompts, revisions, misbehaviours and rules. */

import { type Html, html } from '../../../kit/pages/html.js';
import { clientRules } from '../judge/all-rules.js';
import { misbehaviourNames, queryNames, ruleOf } from '../misbehaviour/misbehaviours.js';
import { permanentPrompts } from '../prompts/prompts.js';
import { protectedPath } from '../protect.js';
import { templates } from '../resources/resources.js';
import { revisions, sseRevision, statelessRevision } from '../revisions/revision.js';
import { oldPaths } from '../sessions/session.js';
import { permanentTools } from '../tools/all-tools.js';

interface Offered {
  readonly name: string;
  readonly says: string;
  /** Such as `needs mcp:write`. */
  readonly note?: string | false | undefined;
}

/** `path` is the path of the server. */
export function renderOffer(path: string): Html {
  return html`
    ${group('tools', 'Tools', permanentTools.map(describeTool))}
    ${group('resources', 'Resources', templates.map(describeTemplate))}
    ${group('prompts', 'Prompts', permanentPrompts.map(describePrompt))}
    ${group('revisions', 'Revisions', [...revisions].reverse().map(revisionAt(path)))}
    ${group('misbehaviours', 'Misbehaviours', misbehaviourNames.map(describeMisbehaviour))}
    ${group('rules', 'Rules that the judge checks', clientRules.map(describeRule))}`;
}

/** Options of a select, whose data says what a right client does. */
export function renderMisbehaviours(): Html {
  // Others need another address.
  const atServer = queryNames.filter((name) => ruleOf(name).methods.length > 0);
  return html`${atServer.map((name) => {
    const { what, rightClient } = ruleOf(name);
    return html`<option value="${name}" data-what="${what}" data-right="${rightClient}">${name}</option>`;
  })}`;
}

function group(id: string, title: string, offered: readonly Offered[]): Html {
  return html`<details id="${id}">
      <summary><h3>${title}</h3> <span class="count">${offered.length}</span></summary>
      <dl>${offered.map(
        ({ name, says, note }) =>
          html`<div><dt><code>${name}</code></dt><dd>${says}${note && html` <small>${note}</small>`}</dd></div>`,
      )}</dl>
    </details>`;
}

const describeTool = ({ name, description, isWriting }: (typeof permanentTools)[number]) => ({
  name,
  says: description,
  note: isWriting && 'Changes the sandbox.',
});

const describeTemplate = ({ uriTemplate, description }: (typeof templates)[number]) => ({
  name: uriTemplate,
  says: String(description),
});

const describePrompt = (prompt: (typeof permanentPrompts)[number]) => ({
  name: prompt.name,
  says: prompt.description,
  note:
    prompt.arguments !== undefined &&
    `Arguments: ${prompt.arguments.map(({ name }) => name).join(', ')}.`,
});

const revisionAt = (path: string) => (revision: (typeof revisions)[number]) => ({
  name: revision,
  says:
    revision === sseRevision
      ? `HTTP with Server-Sent Events, at ${oldPaths.events}.`
      : revision === statelessRevision
        ? `Streamable HTTP without sessions, at ${path} and ${protectedPath}.`
        : `Streamable HTTP with sessions, at ${path} and ${protectedPath}.`,
});

const describeMisbehaviour = (name: (typeof misbehaviourNames)[number]) => {
  const { what, rightClient, section } = ruleOf(name);
  return { name, says: `${what} A right client: ${rightClient}`, note: section };
};

const describeRule = ({ name, what, section }: (typeof clientRules)[number]) => ({
  name,
  says: what,
  note: section,
});
