/** Text of `practice-api help topic`: the beginning of a guide, and the settings of the topic. */

import { nearestName } from '#base/text/did-you-mean.js';
import { helpOfSettings } from '#config/help-text.js';
import type { SettingTable } from '#config/setting.js';
import { readGuideFile } from '#kit/pages/page-files.js';
import { guidePath, loadGuides } from '#site/guides/guides.js';

/** Sections of a guide that are printed; the others are listed. */
const shownSections = 1;
const maxTopics = 100;

/** Other words for guides. */
const synonyms: Readonly<Record<string, string>> = {
  data: 'own-data',
  db: 'own-data',
  tests: 'embedding',
  ci: 'in-ci',
  docker: 'hosting',
  container: 'hosting',
  retries: 'faults',
  retry: 'faults',
  class: 'run-a-class',
  clock: 'sandboxes',
  sandbox: 'sandboxes',
  settings: 'configuration',
  login: 'auth',
  redis: 'shared-state',
  restart: 'state',
  backup: 'state',
  listen: 'handle-webhooks',
  webhook: 'webhooks',
  receiver: 'test-a-webhook-receiver',
  stripe: 'payments',
  http2: 'test-an-http2-client',
  windows: 'getting-started',
  postman: 'testing/postman',
  newman: 'testing/postman',
  pytest: 'testing/python',
  python: 'testing/python',
  node: 'testing/node',
  playwright: 'testing/playwright',
  start: 'getting-started',
};

/** Returns `isKnown: false` with the topics if there is none of this name. */
export async function helpOnTopic(
  table: SettingTable,
  topic: string,
): Promise<{ readonly text: string; readonly isKnown: boolean }> {
  const guides = await loadGuides();
  const asked = topic.toLowerCase();
  const name = [asked, synonyms[asked] ?? ''].find((each) => guides.has(each));
  const settings = helpOfSettings(table, asked);
  const guide = name === undefined ? undefined : await beginningOf(name);
  const parts = [guide, settings].filter((part) => part !== undefined);
  if (parts.length > 0) return { text: parts.join('\n\n'), isKnown: true };
  const topics = [...guides.keys()].filter((each) => !each.includes('/') && each !== 'README');
  const meant = nearestName(asked, topics);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const list = topics.sort().slice(0, maxTopics).join(', ');
  return {
    text: `There is no topic ${JSON.stringify(topic)}.${hint}\nTopics: ${list}`,
    isKnown: false,
  };
}

async function beginningOf(name: string): Promise<string> {
  const markdown = (await readGuideFile(`${name}.md`)).toString('utf8');
  const [lead = '', ...sections] = markdown.split(/^(?=## )/m);
  const shown = sections.slice(0, shownSections);
  const titles = sections
    .slice(shownSections)
    .map((section) => section.slice('## '.length, section.indexOf('\n')));
  return [
    `${withUsualUrls(lead + shown.join('')).trimEnd()}\n`,
    ...(titles.length > 0 ? [`More in this guide: ${titles.join(' · ')}`] : []),
    `Read it at ${guidePath(name)} of a running service.`,
  ].join('\n');
}

/** Guides have a mark for the URL of the service. Links are left as their texts. */
function withUsualUrls(markdown: string): string {
  return markdown
    .replace(/\[([^[\]]{1,200})\]\([^()\s]{1,200}\)/g, '$1')
    .replaceAll('http://base-url.invalid', 'http://localhost:3000')
    .replaceAll('base-url.invalid', 'localhost:3000');
}
