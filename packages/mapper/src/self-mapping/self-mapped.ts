import type { DynamicEntity } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from '../model/entity-model.ts'

/**
 * What a class implements to say itself how its entities are stored. Tables then call these two instead
 * of mapping member by member. Key, ETag and Timestamp are mapped as in any class, and so are names in
 * queries.
 *
 * {@link writeMembers} and {@link readMembers} do what is done without them, so that a class can do the
 * rest alone; `@Ignore()` keeps a member out of what they do.
 *
 * @example
 * ```ts
 * class Customer implements SelfMapped {
 *   @PartitionKey() lastName = ''
 *   @RowKey() firstName = ''
 *   phone?: string
 *   @Ignore() position = { x: 0, y: 0 }
 *
 *   writeEntity(stored: DynamicEntity) {
 *     writeMembers(this, stored)
 *     stored.set('x', this.position.x).set('y', this.position.y)
 *   }
 *
 *   readEntity(stored: DynamicEntity) {
 *     readMembers(this, stored)
 *     this.position = { x: stored.get('x')?.as('Int32') ?? 0, y: stored.get('y')?.as('Int32') ?? 0 }
 *   }
 * }
 * ```
 */
export interface SelfMapped {
  /**
   * Sets the properties to store. It is called for what was read too, to know what of it changes later, so
   * it does nothing else. What it never sets stays as it is stored; what it sets no more is removed by a
   * replace and by modify, and a merge is refused, since it cannot remove a property.
   *
   * @param stored - has the key, and no property yet
   */
  writeEntity(stored: DynamicEntity): void
  /**
   * Takes over what is stored. The members that are keys, ETag and Timestamp have their values already.
   *
   * @param stored - the stored entity, or the part of it that was selected
   */
  readEntity(stored: DynamicEntity): void
}

/**
 * Whether a model's class says itself how its entities are stored.
 *
 * @throws {@link ModelError} when it says only how to read them, or only how to write them
 */
export function isSelfMapped(model: EntityModel<object>): model is EntityModel<SelfMapped> {
  const members: Partial<Record<string, unknown>> = model.class?.prototype ?? {}
  const [writes, reads] = ['writeEntity', 'readEntity'].map(
    (method) => typeof members[method] === 'function',
  )
  if (writes === reads) return writes === true
  throw new ModelError({
    className: model.title,
    problem: `It has ${writes ? 'writeEntity and no readEntity' : 'readEntity and no writeEntity'}: what one stores the other must read. Write both, or neither.`,
  })
}
