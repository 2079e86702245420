import { beginsWith, comparison, type EdmValue, type FilterNode, literalOf } from '@rowkey/odata'
import type { KeyPart, KeyTemplate, QueryColumn, QueryModel } from '@rowkey/query'
import { type KeyCodec, partsIn, wholeKeyOf } from '../keys/key-codec.ts'
import type { TemplatePart } from '../keys/template-part.ts'
import { storedNames } from '../member/stored-member.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'
import { marksOf } from '../model/marks-of.ts'
import { onceForEach } from '../model/once-for-each.ts'
import { versionPropertyAfter } from '../model/to-model-version.ts'

const ENCRYPTED = 'It is encrypted. Read the entities, and compare it there.'

const CUT =
  'Its long values are cut into several properties. Read the entities, and compare it there.'

const SERIES =
  'It is a series, whose values are stored one by one. Read the entities, and compare it there.'

const CONVERTED =
  'Its converter changes its values. Set comparable if stored values ' +
  'have the same order, or compare it in the entities.'

const SIGNED =
  'Its entities are signed, and only a whole entity can be verified. Read them without select.'

/** The key for converting operands, which do not belong to an entity. */
const NO_KEY = Object.freeze({ partitionKey: '', rowKey: '' })

/** Returns the query model of a mapped class; made at the first call. */
export const queryModelOf: (model: EntityModel<object>) => QueryModel = onceForEach(buildQueryModel)

type Columns = ReadonlyMap<string, QueryColumn>

function buildQueryModel(model: EntityModel<object>): QueryModel {
  const columns = new Map<string, QueryColumn>()
  const stored = model.columns.map((column) => storedColumn(column, model))
  for (const column of [...keyColumns(model), ...stored, ...systemColumns(model)]) {
    columns.set(column.property, column)
  }
  const partitionKey = templateOf(model.partitionKey, 'PartitionKey', columns)
  const rowKey = templateOf(model.rowKey, 'RowKey', columns)
  const keys = (partitionKey ?? rowKey) && { partitionKey, rowKey }
  const parts = [...model.partitionKey.parts, ...model.rowKey.parts]
  // Without a hashed part a row could not be written: its key does not contain the value.
  const hashed = model.columns.filter(({ property }) =>
    parts.some((part) => part.property === property && !part.isReadable),
  )
  const marks = [...marksOf(model), ...hashed].flatMap(storedNames)
  return Object.freeze({
    name: model.title,
    properties: Object.freeze([...columns.keys()]),
    column: (property: string) => columns.get(property),
    // A later version may be declared after the first query, and projections must recognize its rows, too.
    get identity() {
      const later = model.version ? undefined : versionPropertyAfter(model)
      return later === undefined ? marks : [...marks, later]
    },
    wholeOnly: model.signing && SIGNED,
    order: model.order,
    keys,
  })
}

/**
 * Makes the query column of a stored property. Some converted, encrypted or cut values can be read but
 * not compared.
 */
function storedColumn(column: Column, model: EntityModel<object>): QueryColumn {
  const { property, name, type, encryption, converter, chunked, series } = column
  const own = { property, name, type, ...defaultsOf(column, model) }
  if (series !== undefined) {
    const [first = name, ...others] = storedNames(column)
    return { property, name: first, type: series.type, unfilterable: SERIES, further: others }
  }
  const further = chunked && { further: storedNames(column).slice(1) }
  if (encryption) {
    return { ...own, type: 'Binary', unfilterable: ENCRYPTED, ...further }
  }
  if (chunked) return { ...own, unfilterable: CUT, ...further }
  const normal = normalForm(model, property)
  if (!converter) return { ...own, ...normal }
  if (!converter.comparable) return { ...own, unfilterable: CONVERTED }
  return {
    ...own,
    toStored: (value) => converter.toStored(value, NO_KEY),
    fromStored: (value) => converter.fromStored(value as EdmValue, NO_KEY), // an operand of the stored type
  }
}

/** What reads show where a column is not stored. A part of a key always has a value. */
function defaultsOf(
  { property }: Column,
  model: EntityModel<object>,
): Pick<QueryColumn, 'defaults'> | undefined {
  const { schema } = model.schema ?? {}
  if (!schema?.hasDefault(property)) return undefined
  const keyed = [...model.partitionKey.properties, ...model.rowKey.properties]
  if (keyed.includes(property)) return undefined
  return { defaults: () => [schema.defaultOf(property)] }
}

/** Makes the columns of the key and the Timestamp. An ETag cannot be queried. */
function systemColumns(model: EntityModel<object>): QueryColumn[] {
  const { partitionKey, rowKey, timestamp } = model
  const half = (codec: KeyCodec, name: string) => {
    const property = wholeKeyOf(codec)
    return { property, name, type: 'String', ...normalForm(model, property) } as const
  }
  const system = [
    half(partitionKey, 'PartitionKey'),
    half(rowKey, 'RowKey'),
    { property: timestamp, name: 'Timestamp', type: 'DateTime' },
  ] as const
  return system.filter(({ property }) => property !== undefined) as QueryColumn[] // with a property
}

/**
 * Makes the columns of the parts of the keys. A part that is also stored as a property is compared there.
 */
function keyColumns(model: EntityModel<object>): QueryColumn[] {
  return partsIn(model).map(({ property, format: { type } }) => {
    return { property, name: property, type, inKey: true, ...normalForm(model, property) }
  })
}

/** What conditions need to know of a property that a schema changes: rows and keys have the changed values. */
function normalForm(
  model: EntityModel<object>,
  property: string | undefined,
): Pick<QueryColumn, 'toStored' | 'normal'> | undefined {
  const { schema } = model.schema ?? {}
  if (property === undefined || !schema?.hasNormalForm(property)) return undefined
  // A condition on another value must not find its replacement.
  if (schema.takesOthers(property)) return undefined
  return { toStored: (operand) => schema.normal(property, operand), normal: true }
}

/** Returns the template of one half of the key; `undefined` where conditions on a property have the name of this half. */
function templateOf(
  codec: KeyCodec,
  half: 'PartitionKey' | 'RowKey',
  columns: Columns,
): KeyTemplate | undefined {
  const whole = wholeKeyOf(codec)
  if (whole !== undefined && columns.get(whole)?.name === half) return undefined
  const segments = codec.segments.map((segment) =>
    typeof segment === 'string' ? segment : keyPart(columns, segment),
  )
  return { segments }
}

function keyPart(columns: Columns, part: TemplatePart): KeyPart {
  // A part may also be stored by itself, or be the whole of the other half.
  const column = columns.get(part.property)
  const fromStored = column?.fromStored
  return {
    property: column?.name ?? part.property,
    print: (value: unknown) => part.print(fromStored ? fromStored(value) : value),
    // Converted texts begin otherwise, so ranges of them are compared as they are stored.
    order: fromStored && part.prefixes ? undefined : part.order,
    prefixes: !fromStored && part.prefixes,
    fixedLength: part.fixedLength,
    stored: column && !column.inKey,
  }
}

/**
 * Returns the condition that the keys of a template meet; `undefined` for one without a fixed beginning.
 *
 * @example
 * ```ts
 * keyFilter('RowKey', key`0002_${'orderNo:8'}`) // RowKey ge '0002_' and RowKey lt '0002`'
 * keyFilter('RowKey', key`customer`)            // RowKey eq 'customer'
 * ```
 */
export function keyFilter(name: 'PartitionKey' | 'RowKey', key: KeyCodec): FilterNode | undefined {
  const text = key.prefix({})
  if (key.parts.length === 0) return comparison(name, 'eq', literalOf(text, 'String'))
  return text === '' ? undefined : beginsWith(name, text)
}
