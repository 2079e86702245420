import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from './entity-model.ts'
import { partsIn } from './parts-in.ts'

/** A getter and its setter. */
interface AccessorPair {
  readonly name: string
  /** The class that declares them. */
  readonly className: string
}

/**
 * Checks that every pair of a getter and a setter, declared or inherited, has a decorator that stores or
 * ignores it. A getter without a setter is computed and needs no decorator.
 *
 * @param model - the model
 * @param sample - a fresh instance
 * @throws {@link ModelError} naming the first pair without a decorator
 */
export function checkAccessors(model: EntityModel<object>, sample: object): void {
  const { columns, ignored, etag, timestamp, title } = model
  const inKeys = partsIn(model).map(({ property }) => property)
  const declared = [...columns.map(({ property }) => property), ...inKeys, ...ignored]
  const known = new Set<string | undefined>([...declared, etag, timestamp])
  const pair = accessorPairs(sample).find(({ name }) => !known.has(name))
  if (pair === undefined) return
  const isInherited = pair.className !== title
  throw new ModelError({
    className: title,
    property: pair.name,
    problem:
      `It is a getter and setter${isInherited ? ` of ${pair.className}` : ''} without a decorator, so it ` +
      'would be neither stored nor read. Put @Property() on one of them to store it, or @Ignore() to leave it out' +
      `${isInherited ? `; decorate(${title}, { ${pair.name}: Ignore() }) does so from outside` : ''}.`,
  })
}

/** Finds the getters of an object that have a setter, each as the nearest class declares it. */
function accessorPairs(sample: object): AccessorPair[] {
  const pairs: AccessorPair[] = []
  const seen = new Set<string>()
  let owner: object | null = Object.getPrototypeOf(sample)
  while (owner !== null && owner !== Object.prototype) {
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      const isPair = get !== undefined && set !== undefined
      if (isPair && !seen.has(name)) pairs.push({ name, className: owner.constructor.name })
      seen.add(name)
    }
    owner = Object.getPrototypeOf(owner)
  }
  return pairs
}
