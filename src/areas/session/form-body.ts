/** Bodies of forms as the JSON that they stand for. */

import { isFault } from '../../http/credentials/fault.js';
import { HttpError } from '../../http/http-error.js';
import { parseForm } from '../../http/oauth/form.js';

export const formType = 'application/x-www-form-urlencoded';

/** For the settings of a route. A checkbox that is not ticked is not sent. */
export const formBodies = {
  [formType](text: string): object {
    const form = parseForm(text);
    if (isFault(form)) throw new HttpError(400, form.fault);
    const { remember, ...fields } = Object.fromEntries(form);
    return remember === undefined ? fields : { ...fields, remember: remember !== 'false' };
  },
};
