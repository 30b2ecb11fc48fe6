/** Schemas of the test plan. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { oneOf } from '../clients/client-metadata.js';
import { text } from '../text-schemas.js';
import { outcomes, reportedOutcomes } from './judge-step.js';

const expected = oneOf(['refused', 'accepted', 'either'] as const);

export const readPlan = {
  summary: 'List what an issuer can do wrong on purpose',
  description:
    'Each name is one for misbehave of PUT /api/sandbox/oidc, and most for the parameter misbehave of authorize and token.',
  response: {
    200: Type.Array(
      Type.Object(
        {
          name: text,
          what: text,
          rightClient: text,
          expected,
          optionalBecause: Type.Optional(
            Type.String({ description: 'Which standard lets a client not look.' }),
          ),
        },
        { title: 'Misbehaviour' },
      ),
    ),
  },
};

const stepSchema = Type.Object(
  {
    name: text,
    issuer: Type.String({ description: 'Where the client is to log in for this step.' }),
    outcome: oneOf(outcomes),
    expected,
  },
  { title: 'TestStep' },
);
const params = { run: text };

export const startRun = {
  summary: 'Start a run of the test plan',
  description:
    'With an issuer for each misbehaviour. A run is kept for a day, and the latest hundred.',
  response: { 201: Type.Array(stepSchema) },
  responseHeaders: { 201: { Location: text } },
};

export const readRun = {
  summary: 'Show what a client made of each misbehaviour',
  description: 'A client accepts by continuing; one that stops has rejected.',
  params: Type.Object(params),
  response: { 200: Type.Array(stepSchema), 404: errorSchema },
};

export const reportStep = {
  summary: 'Report what the client did out of sight of the issuer',
  description: 'What was observed outweighs it.',
  params: Type.Object({ ...params, misbehaviour: text }),
  body: Type.Object({ outcome: oneOf(reportedOutcomes) }, { additionalProperties: false }),
  response: {
    200: stepSchema,
    400: errorSchema,
    404: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
};
