/** A moment of the service, as texts and ETags have it. */
const MOMENT = /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d\.\d+Z/g

/** An id that a client made. */
const ID = /\bid-[A-Z]\d+\b/g

/**
 * Replaces each moment of a text by its place among all moments of the text. Two runs whose clocks differ, and that came to the same,
 * then have the same text.
 */
export function normalText(text: string): string {
  const moments = new Set<string>()
  for (const [moment] of text.matchAll(MOMENT)) moments.add(moment.replaceAll('%3A', ':'))
  const places = new Map([...moments].sort().map((moment, place) => [moment, `<${place}>`]))
  const ids = new Map<string, string>()
  return text
    .replace(MOMENT, (moment) => places.get(moment.replaceAll('%3A', ':')) ?? '')
    .replace(ID, (id) => {
      if (!ids.has(id)) ids.set(id, `<id ${ids.size}>`)
      return ids.get(id) ?? ''
    })
}
