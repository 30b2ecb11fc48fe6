/** Renders the lists of the page: tools, resources, prompts, revisions, misbehaviours and rules. */

import { type Html, html } from '#kit/pages/html.js';
import { renderOffered } from '#kit/pages/offered-list.js';
import { protectedPath } from '../exchange/protect.js';
import { clientRules } from '../judge/all-rules.js';
import { revisions, sseRevision, statelessRevision } from '../messages/revision.js';
import { caseOf, namesWith, queryNames } from '../misbehaviour/misbehaviours.js';
import type { McpOffers } from '../model/parts.js';
import { oldPaths } from '../model/session.js';
import { permanentPrompts } from '../prompts/prompts.js';
import { templates } from '../resources/resources.js';
import { toolsWith } from '../tools/all-tools.js';

/** `path` is the path of the server. */
export function renderOffer(path: string, offered: McpOffers): Html {
  const paths = offered.issuer === undefined ? path : `${path} and ${protectedPath}`;
  return html`
    ${renderOffered('tools', 'Tools', toolsWith(offered).map(describeTool))}
    ${renderOffered('resources', 'Resources', templates.map(describeTemplate))}
    ${renderOffered('prompts', 'Prompts', permanentPrompts.map(describePrompt))}
    ${renderOffered('revisions', 'Revisions', [...revisions].reverse().map(revisionAt(paths)))}
    ${renderOffered('misbehaviours', 'Misbehaviours', namesWith(offered.issuer).map(describeMisbehaviour))}
    ${renderOffered('rules', 'Rules that the judge checks', clientRules.map(describeRule))}`;
}

/** Options of a select, whose data says what a right client does. */
export function renderMisbehaviours(): Html {
  // Others need another address.
  const atServer = queryNames.filter((name) => caseOf(name).methods.length > 0);
  return html`${atServer.map((name) => {
    const { what, rightClient } = caseOf(name);
    return html`<option value="${name}" data-what="${what}" data-right="${rightClient}">${name}</option>`;
  })}`;
}

const describeTool = ({ name, description, isWriting }: ReturnType<typeof toolsWith>[number]) => ({
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

const revisionAt = (paths: string) => (revision: (typeof revisions)[number]) => ({
  name: revision,
  says:
    revision === sseRevision
      ? `HTTP with Server-Sent Events, at ${oldPaths.events}.`
      : revision === statelessRevision
        ? `Streamable HTTP without sessions, at ${paths}.`
        : `Streamable HTTP with sessions, at ${paths}.`,
});

const describeMisbehaviour = (name: ReturnType<typeof namesWith>[number]) => {
  const { what, rightClient, section } = caseOf(name);
  return { name, says: `${what} A right client: ${rightClient}`, note: section };
};

const describeRule = ({ name, what, section }: (typeof clientRules)[number]) => ({
  name,
  says: what,
  note: section,
});
