/** Finds the getters of an object that have a setter, and the nearest class that declares each. */
export function* accessorPairs(sample: object): Iterable<[name: string, className: string]> {
  const seen = new Set<string>()
  let owner: object | null = Object.getPrototypeOf(sample)
  while (owner !== null && owner !== Object.prototype) {
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (get && set && !seen.has(name)) yield [name, owner.constructor.name]
      seen.add(name)
    }
    owner = Object.getPrototypeOf(owner)
  }
}
