/** Misbehaviours of content that clients show, open and keep. */

import type { JsonObject } from '#base/json-object.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { misbehaviourRules } from '../../judge/input-rules.js';
import { sections } from '../../messages/sections.js';
import { byCanary, byFreshList, byReport, byToolOfOther } from '../acceptance.js';
import { toolOf, withProperties } from '../bad-tools.js';
import { canaryUrl } from '../canary.js';
import type { Case } from '../case.js';
import { adding } from '../effects.js';

const ofList = { methods: ['tools/list'] } as const;
const ofCall = { methods: ['tools/call'] } as const;
const fresh = { ttlMs: 60_000, cacheScope: 'private' } as const;

const elicitation = (url: string) => ({
  method: 'elicitation/create',
  params: { mode: 'url', elicitationId: 'canary', url, message: 'Open this page.' },
});

export const contentCases = casesOf<Case>()({
  'icon-script': {
    ...ofList,
    what: 'The icon of a tool is a javascript: URL.',
    rightClient: 'Shows the tool without the icon.',
    section: sections.icons,
    acceptedBy: byReport,
    response: adding(() => ({
      ...withProperties({}),
      icons: [{ src: 'javascript:alert(document.domain)', mimeType: 'image/png' }],
    })),
  },
  'url-elicitation': {
    ...ofCall,
    what: 'A call requests that the user opens a URL.',
    rightClient: 'Shows the whole URL, and fetches nothing.',
    section: sections.safeUrls,
    acceptedBy: byCanary,
    rule: misbehaviourRules['url-elicitation'],
    response(response, { isStateless, canary }) {
      if (!isStateless) return response;
      const { _meta } = response.result as JsonObject;
      const inputRequests = { open: elicitation(canary) };
      return { ...response, result: { resultType: 'input_required', inputRequests, _meta } };
    },
    wire(response, { isStateless, request, misbehaviour }) {
      if (isStateless) return undefined;
      const url = canaryUrl(request, misbehaviour);
      return { events: [{ jsonrpc: '2.0', id: 'wrong-1', ...elicitation(url) }, response] };
    },
  },
  'changing-list': {
    ...ofList,
    only: 'stateless',
    what: 'The list of tools changes with each request, but is fresh for a minute.',
    rightClient: 'Uses the list that it has until ttlMs is over.',
    section: sections.timeToLive,
    acceptedBy: byFreshList,
    rule: misbehaviourRules['changing-list'],
    response: adding(
      ({ count }) => ({ ...withProperties({}), name: `changing_tool_${count}` }),
      fresh,
    ),
  },
  'private-list': {
    ...ofList,
    only: 'stateless',
    what: 'The list of tools is fresh for a minute, but private: each token gets its own tool.',
    rightClient: 'Keeps a private list only for the token that it was sent to.',
    section: sections.cacheScope,
    acceptedBy: byToolOfOther,
    rule: misbehaviourRules['private-list'],
    // With a single token, there is no other to use the list with.
    reachesRule: (step, reader) => step?.reader !== reader,
    response: adding(({ reader }) => ({ ...withProperties({}), name: toolOf(reader) }), fresh),
  },
  'html-response': {
    ...ofCall,
    what: 'The response is a page with status 200.',
    rightClient: 'Reports an unexpected Content-Type.',
    section: sections.sending,
    acceptedBy: byReport,
    wire: () => ({
      body: '<!doctype html><title>Sign in</title>',
      type: 'text/html; charset=utf-8',
    }),
  },
});
