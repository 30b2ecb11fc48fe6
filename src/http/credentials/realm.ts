/** The protection space of every challenge (RFC 9110 section 11.5). */
export const realm = 'Practice API';
