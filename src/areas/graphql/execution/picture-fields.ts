/** Fields with image URLs: paths in the records, complete in the responses. */
const pictureFields: Readonly<Record<string, readonly string[]>> = {
  Product: ['image'],
  Movie: ['poster'],
  Person: ['avatar'],
  Photo: ['url', 'thumbnailUrl'],
};

export function isPictureField(type: string, field: string): boolean {
  return pictureFields[type]?.includes(field) ?? false;
}
