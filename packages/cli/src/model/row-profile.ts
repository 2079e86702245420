import type { EdmType } from '@rowkey/odata'
import type { DynamicEntity } from 'rowkey'

/** Values beyond these are not kept: a property with so many has no list of values. */
const MOST_VALUES = 50
const LONGEST_VALUE = 40

/** What the rows say of one property. */
export interface PropertyProfile {
  /** How many rows have it. */
  count: number
  /** How many rows have it with each type. */
  readonly types: Map<EdmType, number>
  /** How often each text occurs; `undefined` once there are too many, or too long ones. */
  values: Map<string, number> | undefined
}

/** What the rows say of a model. */
export interface RowProfile {
  /** How many rows were read. */
  rows: number
  /** The properties, in the order in which they came. */
  readonly properties: Map<string, PropertyProfile>
  /** The PartitionKeys and RowKeys, as shapes. */
  readonly partitionKeys: KeyShape
  readonly rowKeys: KeyShape
}

/** What keys have in common. */
export interface KeyShape {
  /** The beginning of all of them; `undefined` before the first. */
  start: string | undefined
  /** Their forms, such as `order-#8` for eight digits after a text; `undefined` once there are several. */
  form: string | undefined
  /** How many forms were seen: 0, 1 or more. */
  forms: number
}

/** Makes the profile of no rows. */
export function emptyProfile(): RowProfile {
  const shape = (): KeyShape => ({ start: undefined, form: undefined, forms: 0 })
  return { rows: 0, properties: new Map(), partitionKeys: shape(), rowKeys: shape() }
}

/** Adds a row to a profile. */
export function addRow(profile: RowProfile, row: DynamicEntity): void {
  profile.rows++
  addKey(profile.partitionKeys, row.partitionKey)
  addKey(profile.rowKeys, row.rowKey)
  for (const [name, { type, value }] of row.properties) {
    const found = profile.properties.get(name)
    const property = found ?? { count: 0, types: new Map<EdmType, number>(), values: new Map() }
    if (found === undefined) profile.properties.set(name, property)
    property.count++
    property.types.set(type, (property.types.get(type) ?? 0) + 1)
    addValue(property, typeof value === 'string' && type === 'String' ? value : undefined)
  }
}

function addValue(property: PropertyProfile, value: string | undefined): void {
  const { values } = property
  if (values === undefined) return
  if (value === undefined || value.length > LONGEST_VALUE) property.values = undefined
  else values.set(value, (values.get(value) ?? 0) + 1)
  if (values.size > MOST_VALUES) property.values = undefined
}

function addKey(shape: KeyShape, key: string): void {
  let length = shape.start === undefined ? key.length : 0
  while (
    shape.start !== undefined &&
    length < shape.start.length &&
    shape.start[length] === key[length]
  )
    length++
  shape.start = key.slice(0, length)
  const form = key.replace(/\d+/g, (digits) => `#${digits.length}`)
  if (shape.forms > 0 && shape.form === form) return
  shape.forms++
  shape.form = shape.forms === 1 ? form : undefined
}
