const IDENTIFIER = /^[\p{L}_][\p{L}\p{Nd}_]*$/u

/** Names that a member of a class cannot have, or that mean something else there. */
const TAKEN: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['partitionKey', 'rowKey', 'etag', 'timestamp', 'prototype'],
])

/**
 * Names the members of a class after stored properties. A name stays as it is where TypeScript accepts it.
 *
 * @param stored - the stored names
 * @returns the member of each, all different
 */
export function memberNames(stored: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...stored]
  const used = new Set([...TAKEN, ...all])
  return new Map(
    all.map((name) => {
      if (IDENTIFIER.test(name) && !TAKEN.has(name)) return [name, name]
      let member = `${name.replace(/[^\p{L}\p{Nd}_]/gu, '_').replace(/^(?=\p{Nd})/u, '_')}_`
      while (used.has(member)) member += '_'
      used.add(member)
      return [name, member]
    }),
  )
}

/**
 * Makes the name of a class from any text.
 *
 * @param text - the name of a table, or the value of a discriminator
 * @param used - names that are taken; the new one is added
 */
export function className(text: string, used: Set<string>): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const name = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  let unique = /^[A-Z]/.test(name) ? `${name}Row` : `Row${name}`
  while (used.has(unique)) unique += '_'
  used.add(unique)
  return unique
}
