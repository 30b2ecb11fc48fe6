/** The test plan for HTTP/2 clients, and its runs. */

import { Type } from 'typebox';
import { oneOf, optionalText } from '#kit/describe/value-schemas.js';
import type { Endpoint } from '#kit/endpoint.js';
import { testPlanEndpoints } from '#kit/verdict/test-plan.js';
import { ruleOutcomes } from '#kit/verdict/verdict.js';
import { levels } from '../cases/case.js';
import { caseNames } from '../cases/cases.js';
import { described } from '../page/list.js';
import type { Lab } from './lab-of.js';
import { http2Runs, outcomeOf, outcomes, reportedOutcomes, verdictOf } from './runs.js';
import { planPath } from './settings.js';

const text = Type.String();
const urls = {
  url: optionalText('URL without TLS, for HTTP/2 by prior knowledge. Absent if the lab is off.'),
  tlsUrl: optionalText('URL with TLS. Absent if TLS is off.'),
};

const planSchema = Type.Array(
  Type.Object(
    {
      ...{ case: text, what: text, rightClient: text, section: text },
      level: oneOf(levels, { description: 'With may, both reactions are right.' }),
      method: optionalText('Method of the request. Without one, any method.'),
      bodyBytes: Type.Optional(Type.Integer({ description: 'Least size of its body.' })),
      requests: Type.Optional(
        Type.Integer({ description: 'Requests that the client sends, one soon after the other.' }),
      ),
      ...urls,
    },
    { title: 'Http2Test' },
  ),
);

const stepSchema = Type.Object(
  {
    ...{ case: text, ...urls, outcome: oneOf(outcomes), verdict: oneOf(ruleOutcomes) },
    evidence: text,
    observed: Type.Optional(oneOf(outcomes)),
    reported: Type.Optional(oneOf(reportedOutcomes)),
    visits: Type.Integer({ description: 'Connections that met the case.' }),
  },
  { title: 'Http2TestStep' },
);

export const planEndpoints = (lab: Lab): readonly Endpoint[] =>
  testPlanEndpoints({
    path: planPath,
    parameter: 'case',
    isHidden: true,
    texts: {
      list: {
        summary: 'List cases for HTTP/2 clients',
        description: 'The lab has its own port, which --http2-lab-port switches on.',
      },
      start: {
        summary: 'Start a run of the test plan for HTTP/2 clients',
        description: 'Each case has its own URL on the port of the lab. A run is stored for a day.',
      },
      read: { summary: 'Show what an HTTP/2 client did in each case' },
      report: {
        summary: 'Report what an HTTP/2 client did',
        description: 'Overrides what the lab inferred, and nothing that is certain.',
      },
    },
    list: {
      schema: planSchema,
      entries: ({ baseUrl }) => described(lab.urlsAt(baseUrl)),
    },
    cases: caseNames,
    hasChoice: true,
    runs: http2Runs,
    reported: reportedOutcomes,
    step: {
      schema: stepSchema,
      describe({ name, step, runId, request: { baseUrl } }) {
        const { url, tlsUrl } = lab.urlsAt(baseUrl);
        const { reading, reported, visits = 0 } = step;
        const path = `/runs/${runId}/${name}`;
        return {
          case: name,
          ...(url && { url: url + path }),
          ...(tlsUrl && { tlsUrl: tlsUrl + path }),
          outcome: outcomeOf(step),
          verdict: verdictOf(name, step),
          evidence:
            reading?.evidence ??
            (reported ? 'The client reported it.' : 'The client has not met the case.'),
          ...(reading && { observed: reading.outcome }),
          ...(reported && { reported }),
          visits,
        };
      },
    },
  });
