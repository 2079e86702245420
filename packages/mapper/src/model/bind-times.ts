import { ModelError } from '../errors/model-error.ts'
import { storedMember } from '../member/stored-member.ts'
import { hasDefault } from '../place/place.ts'
import type { Column, EntityModel } from './entity-model.ts'
import type { RowTimes, TimeColumn, TimeOptions } from './row-times.ts'

/**
 * Binds the times that a model keeps, if any.
 *
 * @throws {@link ModelError} for a property that is not stored as a plain DateTime, or that a caller must give
 */
export function bindTimes(
  { createdAt, updatedAt }: TimeOptions,
  model: EntityModel<object>,
): RowTimes | undefined {
  if (createdAt === undefined && updatedAt === undefined) return undefined
  const bound = (option: keyof TimeOptions, property: string | undefined) =>
    property === undefined ? undefined : boundTime(model, option, property)
  if (createdAt === updatedAt) {
    throw rejected(model, 'createdAt', createdAt, 'is also the updatedAt. Name two properties.')
  }
  if (createdAt !== undefined && model.signing !== undefined) {
    const problem =
      'cannot be used with signing: the time of an existing row is not known when the entity is signed. Leave createdAt out.'
    throw rejected(model, 'createdAt', createdAt, problem)
  }
  return Object.freeze({
    createdAt: bound('createdAt', createdAt),
    updatedAt: bound('updatedAt', updatedAt),
  })
}

function boundTime(
  model: EntityModel<object>,
  option: keyof TimeOptions,
  property: string,
): TimeColumn {
  const column = model.columns.find((each) => each.property === property)
  if (column === undefined || !isPlainTime(column) || model.computed.includes(property)) {
    const problem =
      'needs a property that is stored as a DateTime, without encryption or a converter. Put @DateTime() on it, or use ' +
      'z.date().optional() in the schema.'
    throw rejected(model, option, property, problem)
  }
  const place = model.schema?.schema.properties.get(property)
  if (
    place !== undefined &&
    (hasDefault(place) || !model.schema?.schema.takes(property, undefined))
  ) {
    const problem =
      'is set by Rowkey, so a caller must be able to leave it out, and it has no default. Use z.date().optional() in the schema.'
    throw rejected(model, option, property, problem)
  }
  return Object.freeze({
    ...storedMember(column.name),
    property,
    label: `${model.title}.${property}`,
  })
}

function isPlainTime({ type, encryption, converter, chunked }: Column): boolean {
  return type === 'DateTime' && !encryption && !converter && !chunked
}

function rejected(
  { title }: EntityModel<object>,
  option: keyof TimeOptions,
  property: string | undefined,
  problem: string,
): ModelError {
  return new ModelError({ className: title, property, problem: `${option} ${problem}` })
}
