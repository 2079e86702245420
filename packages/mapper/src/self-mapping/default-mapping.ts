import {
  checkKeyText,
  DynamicEntity,
  describeKind,
  dynamicEntityCodec,
  parseEntityObject,
} from '@rowkey/odata'
import { ClassCodec } from '../codec/class-codec.ts'
import { ModelError } from '../errors/model-error.ts'
import { storedNames } from '../member/stored-member.ts'
import type { EntityClass } from '../model/entity-class.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { modelOf } from '../model/model-of.ts'
import { onceForEach } from '../model/once-for-each.ts'
import { writeRow } from '../snapshot/object-row.ts'

const codecOf = onceForEach((model: EntityModel<object>) => new ClassCodec(model, checkKeyText))

/**
 * Sets the properties of a stored entity from the members of an object, as the decorators of its class
 * define. For {@link SelfMapped.writeEntity}.
 *
 * @param entity - an instance of a mapped class
 * @param stored - receives the properties
 * @throws {@link ModelError} when its class cannot be mapped
 */
export function writeMembers(entity: object, stored: DynamicEntity): void {
  checkStored(stored)
  const { raw } = writeRow(codecOf(modelOfObject(entity)), entity).row
  const { properties } = dynamicEntityCodec.read(raw)
  for (const name of modelOfObject(entity).columns.flatMap(storedNames)) {
    const property = properties.get(name)
    if (property !== undefined) stored.set(name, property)
  }
}

/**
 * Sets the members of an object from a stored entity, as the decorators of its class define. A member
 * that is not stored stays as it is. For {@link SelfMapped.readEntity}.
 *
 * @param entity - an instance of a mapped class
 * @param stored - the stored entity
 * @throws {@link ModelError} when its class cannot be mapped
 */
export function readMembers(entity: object, stored: DynamicEntity): void {
  checkStored(stored)
  const codec = codecOf(modelOfObject(entity))
  const { columns, computed } = modelOfObject(entity)
  const { entity: fresh } = codec.read(parseEntityObject(dynamicEntityCodec.write(stored)))
  for (const { property, name } of columns) {
    if (!stored.has(name) || computed.includes(property)) continue
    Reflect.set(entity, property, Reflect.get(fresh, property))
  }
}

function modelOfObject(entity: object): EntityModel<object> {
  // An object's constructor is its class; modelOf rejects anything else.
  const { constructor: entityClass } = Object(entity) as {
    readonly constructor: EntityClass<object>
  }
  return modelOf(entityClass)
}

function checkStored(stored: unknown): void {
  if (stored instanceof DynamicEntity) return
  const problem = `Members can be mapped only to a DynamicEntity; got ${describeKind(stored)}. Pass the argument of writeEntity or readEntity.`
  throw new ModelError({ className: '', problem })
}
