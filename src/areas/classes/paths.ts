/** Names that the area and its endpoints share. */

export const path = '/api/classes';

export const teacherKeyName = 'teacherKey';
