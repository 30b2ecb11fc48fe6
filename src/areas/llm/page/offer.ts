/** Renders the lists of the page: models, keys, broken streams and rules of the judge. */

import { type Html, html } from '#kit/pages/html.js';
import { renderOffered } from '#kit/pages/offered-list.js';
import { plan } from '../control/plan-endpoints.js';
import { clientRules } from '../judge/rules.js';
import { keys } from '../messages/keys.js';
import { embeddingModel, type ModelName, modelNames, models } from '../messages/models.js';
import { brokenStream, rightClient, type StreamName, streamNames } from '../streams/cases.js';

export function renderOffer(): Html {
  return html`
    ${renderOffered('models', 'Models', [...modelNames.map(describeModel), embedding])}
    ${renderOffered('keys', 'Keys', describedKeys)}
    ${renderOffered('broken-streams', 'Broken streams', streamNames.map(describeStream))}
    ${renderOffered('rules', 'Rules that the judge checks', clientRules.map(describeRule))}`;
}

/** Options of a select, whose data says what a right client does, and at which endpoints. */
export function renderCases(): Html {
  return html`${plan.map(
    ({ case: name, misbehave, at, what, rightClient: right, endpoints }) =>
      html`<option value="${name}" data-misbehave="${misbehave}" data-at="${at}" data-what="${what}" data-right="${right}" data-endpoints="${endpoints.join(' ')}">${name}</option>`,
  )}`;
}

export function renderModels(): Html {
  return html`${modelNames.map((name) => html`<option>${name}</option>`)}`;
}

const describeModel = (name: ModelName) => {
  const { contextTokens, maxOutputTokens, canThink } = models[name];
  return {
    name,
    says: `Context of ${contextTokens} tokens, at most ${maxOutputTokens} of them written.`,
    note: canThink && 'Thinks.',
  };
};

const embedding = {
  name: embeddingModel,
  says: 'Embeddings. Texts that share words have near vectors.',
};

const describedKeys = [
  { name: keys.openai, says: 'For OpenAI, as a bearer token.' },
  { name: keys.anthropic, says: 'For Anthropic, in x-api-key or as a bearer token.' },
  { name: keys.gemini, says: 'For Gemini, in x-goog-api-key. Ollama needs none.' },
  { name: keys.quota, says: 'For all but Ollama. It is always out of quota.' },
];

const describeStream = (name: StreamName) => {
  const { what, nature, at } = brokenStream(name);
  return {
    name,
    says: `${what} A right client: ${rightClient[nature]}`,
    note: `At: ${at.join(', ')}.`,
  };
};

const describeRule = ({ name, right, section }: (typeof clientRules)[number]) => ({
  name,
  says: right,
  note: section,
});
