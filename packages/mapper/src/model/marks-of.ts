import { checkCustomPropertyName, type EdmType, type RawEntity } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import { storedNames } from '../member/stored-member.ts'
import { ValueChunks } from '../member/value-chunks.ts'
import type { Discriminator } from './discriminator.ts'
import type { Column, EntityModel } from './entity-model.ts'

/**
 * The mark of the rows of a type: one stored property and its text.
 *
 * @example
 * ```ts
 * const discriminator: TypeMark = { EntityType: 'Order' }
 * ```
 */
export type TypeMark = Readonly<Record<string, string>>

/**
 * Reads the option `discriminator`.
 *
 * @param title - the name of the model in messages
 * @param given - the caller's option
 * @throws {@link ModelError} unless it is one property with a text
 */
export function toDiscriminator(
  title: string,
  given: TypeMark | undefined,
): Discriminator | undefined {
  if (given === undefined) return undefined
  const [first, other] = Object.entries<unknown>(Object(given))
  const [property = '', value] = first ?? []
  if (other === undefined && typeof value === 'string' && value !== '') {
    try {
      checkCustomPropertyName(property)
      return Object.freeze({ property, value })
    } catch (cause) {
      throw mistaken(title, cause)
    }
  }
  throw mistaken(title)
}

function mistaken(className: string, cause?: unknown): ModelError {
  return new ModelError({
    className,
    problem: "discriminator must be one property with its text, such as { EntityType: 'Order' }.",
    cause,
  })
}

/** A stored property with the same value in every entity of a model. */
interface Mark {
  /** The stored name. */
  readonly name: string
  readonly type: EdmType & ('String' | 'Int32')
  readonly value: string | number
}

/** Returns the type and the version that are stored with every entity of a model. */
export function marksOf({
  discriminator,
  version,
}: Pick<EntityModel<object>, 'discriminator' | 'version'>): readonly Mark[] {
  const marks: Mark[] = []
  if (discriminator !== undefined) {
    marks.push({ name: discriminator.property, type: 'String', value: discriminator.value })
  }
  if (version !== undefined) {
    marks.push({ name: version.property, type: 'Int32', value: version.number })
  }
  return marks
}

/**
 * Returns the property that shows the type: one of the schema that is stored under the name of the discriminator, and takes its text.
 * `undefined` where the type is stored only.
 */
export function shownType({
  discriminator,
  columns,
  schema,
}: Pick<EntityModel<object>, 'discriminator' | 'columns' | 'schema'>): Column | undefined {
  const column = columns.find(({ name }) => name === discriminator?.property)
  if (column?.type !== 'String' || column.encryption || column.converter || column.chunked) {
    return undefined
  }
  return schema?.schema.takes(column.property, discriminator?.value) ? column : undefined
}

/** Returns the stored names that Rowkey manages: of the type, the version and the signature. */
export function managedNames(model: EntityModel<object>): string[] {
  const names = marksOf(model).map(({ name }) => name)
  return model.signing === undefined ? names : [...names, model.signing.property]
}

/** Returns the members that a model stores: those of the key, ETag and Timestamp, and its properties. */
export function mappedMembers(model: EntityModel<object>): string[] {
  const { partitionKey, rowKey, etag, timestamp, columns } = model
  const keys = [...partitionKey.properties, ...rowKey.properties]
  const system = [...keys, etag, timestamp].filter((member) => member !== undefined)
  return [...system, ...columns.map(({ property }) => property)]
}

/** Returns the stored names of a model and all earlier versions in a row, without the keys and the type. */
export function declaredNamesIn(raw: RawEntity, model: EntityModel<object>): string[] {
  const { columns, signing, version } = model
  const names = columns.flatMap((column) => {
    const { name, chunked, encryption } = column
    if (!chunked) return storedNames(column)
    return new ValueChunks(name, `${model.title}.${name}`, encryption).namesIn(raw)
  })
  if (signing !== undefined) names.push(signing.property)
  if (version === undefined) return names
  const { property, previous } = version
  return [...names, property, ...(previous ? declaredNamesIn(raw, previous) : [])]
}
