import type { EntityModel } from './entity-model.ts'

/** A member that is changed for a while. */
interface ChangedMember {
  readonly member: string
  readonly made: unknown
}

/** Runs a function on an entity with some changes. Afterwards the caller's object is as it was. */
export function changed<Entity extends object, Result>(
  model: EntityModel<object>,
  entity: Entity,
  changes: readonly ChangedMember[],
  run: (made: Entity) => Result,
): Result {
  if (changes.length === 0) return run(entity)
  const made = changes.map((change) => [change.member, change.made] as const)
  const isInstance = model.class !== undefined && entity instanceof model.class
  if (!isInstance || !Object.isExtensible(entity)) {
    const prototype: object | null = Object.getPrototypeOf(entity)
    return run(Object.assign(Object.create(prototype), entity, Object.fromEntries(made)))
  }
  // Getters, and members that are private, are found on the object itself only.
  const own = new Set(Object.keys(entity))
  const before = made.map(([member]) => [member, Reflect.get(entity, member)] as const)
  try {
    for (const [member, value] of made) Reflect.set(entity, member, value)
    return run(entity)
  } finally {
    for (const [member, value] of before) {
      Reflect.set(entity, member, value)
      if (!own.has(member)) Reflect.deleteProperty(entity, member)
    }
  }
}
