/** Schemas of the tool and of the structured output. */

import { z } from 'zod';

export const citySchema = z.object({ city: z.string() });
export const tripSchema = z.object({ city: z.string(), days: z.number() });
