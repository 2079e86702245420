/** Returns the members to store: those that are not `undefined`. */
export function definedMembers(value: object): [name: string, member: unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

/** Returns whether a value is a plain object: neither an array nor an instance of a class. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Returns whether two values are the same JSON: the same members in the same order, and the same numbers, where
 * 0 differs from -0. Their depth is not limited, and one of them may be a ring.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isSame(one, other, Object.is)
}

/** Returns whether two values are the same JSON, where dates and bytes with the same content are the same, too. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other) && hasSameItems(one, other)) return true
  return isSame(one, other, isSameLeaf)
}

/** Whether two arrays hold the same texts and numbers, as most do. */
function hasSameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (const [at, item] of one.entries()) {
    if (item === undefined || !Object.is(item, other[at])) return false
  }
  return true
}

function isSameLeaf(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  // The text also has the digits that a Date does not hold.
  if (one instanceof Date && other instanceof Date) return one.toJSON() === other.toJSON()
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return false
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function isSame(
  one: unknown,
  other: unknown,
  isLeaf: (one: unknown, other: unknown) => boolean,
): boolean {
  const pairs: [one: unknown, other: unknown][] = [[one, other]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair
    if (isLeaf(left, right)) continue
    const parts = partsOf(left)
    const others = partsOf(right)
    if (parts === undefined || others === undefined) return false
    if (Array.isArray(left) !== Array.isArray(right) || parts.length !== others.length) return false
    for (const [at, [name, part]] of parts.entries()) {
      const [otherName, otherPart] = others[at] as [string, unknown] // as long as the first
      if (name !== otherName) return false
      pairs.push([part, otherPart])
    }
  }
  return true
}

function partsOf(value: unknown): [name: string, part: unknown][] | undefined {
  if (Array.isArray(value)) return Array.from(value, (item, at) => [String(at), item])
  return isPlainObject(value) ? definedMembers(value) : undefined
}
