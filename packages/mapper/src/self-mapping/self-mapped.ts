import type { DynamicEntity } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import type { EntityModel } from '../model/entity-model.ts'

/**
 * The two methods of a class that maps its entities itself. Tables call them instead of mapping each
 * member. Key, ETag, Timestamp and the names in queries are mapped as in any class.
 *
 * {@link writeMembers} and {@link readMembers} do the default mapping, so that a class can add to it;
 * `@Ignore()` excludes a member.
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
   * Sets the properties to store. It is also called after a read, to find later changes, so it must do
   * nothing else. A property that it never sets stays as it is stored. A property that it no longer sets
   * is removed by a replace and by modify; a merge is rejected, because it cannot remove a property.
   *
   * @param stored - the entity with its key, without properties
   */
  writeEntity(stored: DynamicEntity): void
  /**
   * Sets the members from a stored entity. The members for keys, ETag and Timestamp are already set.
   *
   * @param stored - the stored entity, or the part of it that was selected
   */
  readEntity(stored: DynamicEntity): void
}

/**
 * Whether a model's class maps its entities itself.
 *
 * @throws {@link ModelError} when it has only one of the two methods
 */
export function isSelfMapped(model: EntityModel<object>): model is EntityModel<SelfMapped> {
  const members: Partial<Record<string, unknown>> = model.class?.prototype ?? {}
  const [writes, reads] = ['writeEntity', 'readEntity'].map(
    (method) => typeof members[method] === 'function',
  )
  if (writes === reads) return writes === true
  throw new ModelError({
    className: model.title,
    problem: `It has ${writes ? 'writeEntity but not readEntity' : 'readEntity but not writeEntity'}. Implement both or neither.`,
  })
}
