import { DynamicEntity, type EdmType, type EdmValue, EntityProperty } from '@rowkey/odata'
import type { Properties } from './history-rows.ts'

/** A property as callers see it, and how it is stored. */
export interface Column {
  readonly property: string
  /** The stored names; several for a value that is stored in pieces. */
  readonly names: readonly string[]
  /** What a caller may set; `undefined` takes the value away. */
  readonly values: readonly unknown[]
  /** A value as text with its type; `undefined` for an absent one. */
  text(value: unknown): string | undefined
  /** The value that a row holds, as this text. */
  of(row: Properties): string | undefined
  /** What a whole write may store where the object shows no value, or none is stored. */
  readonly fallback: string | undefined
  /** Whether that is the default of a schema, which an upsert by merge leaves out while it is not stored. */
  readonly isDefault: boolean
  readonly get: (entity: object) => unknown
  readonly set: (entity: object, value: unknown) => void
  /** A schema or a conversion may show another value than the stored one. */
  readonly isAltered: boolean
  /** Whether `select` takes it. */
  readonly isSelectable: boolean
}

/** A class, a model or the untyped entity, as the histories use it. */
export interface Kind {
  readonly title: string
  /** The members of PartitionKey and RowKey. */
  readonly keys: readonly [string, string]
  readonly columns: readonly Column[]
  /** Stored properties that every row of the kind holds, such as its version. */
  readonly marks: Properties
  /** The member that shows the ETag. */
  readonly etag: string | undefined
  /** Stored names that belong to the kind, and that no property shows. */
  readonly hidden: ReadonlySet<string>
  /** Projections are rejected. */
  readonly isWhole: boolean
  /** A merge is only made of an entity that was read whole, by its own ETag. */
  readonly isSigned: boolean
  /** Its writes are shown to a keeper. */
  readonly isKept: boolean
  /** Any property may be set, also one that makes a row of another kind of it. */
  readonly isUntyped: boolean
  /** Whether some values cannot be written to a row, for what others stored there. */
  isBlocked(row: Properties): boolean
  /** Whether a row of these properties is read as this kind. */
  reads(row: Properties): boolean
  create(): object
  /** A new object with the members of another one, as a caller copies it. */
  copy(entity: object): object
}

type Members = Record<string, unknown>

/** The options of a column. */
export interface ColumnOptions {
  readonly storedAs?: string
  readonly fallback?: unknown
  readonly isDefault?: boolean
  readonly isAltered?: boolean
  readonly isSelectable?: boolean
  readonly of?: (row: Properties) => string | undefined
  readonly names?: readonly string[]
  readonly get?: (entity: object) => unknown
  readonly set?: (entity: object, value: unknown) => void
}

/** A column of one Edm type. */
export function column(
  property: string,
  type: EdmType,
  values: readonly unknown[],
  options: ColumnOptions = {},
): Column {
  const { storedAs = property, fallback, isDefault = false } = options
  const { isAltered = false, isSelectable = true } = options
  const text = (value: unknown) =>
    value === undefined || value === null ? undefined : `${type} ${valueText(value)}`
  return {
    property,
    names: options.names ?? [storedAs],
    values,
    text,
    of: options.of ?? ((row) => row.get(storedAs)),
    fallback: text(fallback),
    isDefault,
    get: options.get ?? ((entity) => (entity as Members)[property]),
    set:
      options.set ??
      ((entity, value) => {
        const members = entity as Members
        if (value === undefined) delete members[property]
        else members[property] = value
      }),
    isAltered,
    isSelectable,
  }
}

/** A property of an untyped entity. */
export function dynamicColumn(name: string, values: readonly EntityProperty[]): Column {
  const at = (entity: object) => entity as DynamicEntity
  return {
    property: name,
    names: [name],
    values: [...values, undefined],
    text: (value) => (value instanceof EntityProperty ? propertyText(value) : undefined),
    of: (row) => row.get(name),
    fallback: undefined,
    isDefault: false,
    get: (entity) => at(entity).get(name),
    set(entity, value) {
      if (value instanceof EntityProperty) at(entity).set(name, value)
      else at(entity).delete(name)
    },
    isAltered: false,
    // A query takes these for the keys.
    isSelectable: name !== 'partitionKey' && name !== 'rowKey',
  }
}

/** The text of a typed property, as {@link Properties} have it. */
export function propertyText({ type, value }: EntityProperty): string {
  return `${type} ${valueText(value)}`
}

function valueText(value: unknown): string {
  if (!(value instanceof Date)) return String(value as EdmValue)
  return value
    .toJSON()
    .replace(/(\.\d*?)0+Z$/, '$1Z')
    .replace('.Z', 'Z')
}

/** Two texts of one value: the service may have the number as another type than the object shows. */
export function isSameValue(one: string | undefined, other: string | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && loose(one) === loose(other))
}

function loose(text: string): string {
  const [type = '', ...rest] = text.split(' ')
  return ['Int32', 'Int64', 'Double'].includes(type) ? `number ${Number(rest.join(' '))}` : text
}

/** What a kind is made from. */
export interface KindOptions {
  readonly columns: readonly Column[]
  readonly create: () => object
  readonly keys?: readonly [string, string]
  readonly marks?: Readonly<Record<string, string>>
  readonly etag?: string
  readonly hidden?: readonly string[]
  readonly isWhole?: boolean
  readonly isSigned?: boolean
  readonly isKept?: boolean
  readonly reads?: (row: Properties) => boolean
  readonly isBlocked?: (row: Properties) => boolean
}

/** A class, or a model whose entities are plain objects. */
export function kind(title: string, options: KindOptions): Kind {
  const { columns, create, keys = ['pk', 'rk'], etag, isWhole = false, isSigned = false } = options
  const marks = new Map(Object.entries(options.marks ?? {}))
  return {
    title,
    keys,
    columns,
    marks,
    etag,
    hidden: new Set([...(options.hidden ?? []), ...marks.keys()]),
    isWhole,
    isSigned,
    isKept: options.isKept ?? false,
    isUntyped: false,
    isBlocked: options.isBlocked ?? (() => false),
    reads: options.reads ?? ((row) => [...marks].every(([name, text]) => row.get(name) === text)),
    create,
    copy: (entity) => Object.assign(create(), entity),
  }
}

/** Entities without a declared class. */
export function dynamicKind(columns: readonly Column[], reads: Kind['reads'] = () => true): Kind {
  return {
    title: 'DynamicEntity',
    keys: ['partitionKey', 'rowKey'],
    columns,
    marks: new Map(),
    etag: 'etag',
    hidden: new Set(),
    isWhole: false,
    isSigned: false,
    isKept: false,
    isUntyped: true,
    isBlocked: () => false,
    reads,
    create: () => new DynamicEntity('', ''),
    copy(entity) {
      const { partitionKey, rowKey, properties, etag } = entity as DynamicEntity
      const copied = new DynamicEntity(partitionKey, rowKey, properties)
      if (etag !== undefined) copied.etag = etag
      return copied
    },
  }
}

/** What an object shows, by property. */
export function shownBy(kind: Kind, entity: object): Map<string, string | undefined> {
  return new Map(kind.columns.map((each) => [each.property, each.text(each.get(entity))]))
}

/** The stored names that a kind declares or keeps to itself. */
export function declaredNames(kind: Kind): ReadonlySet<string> {
  let names = declared.get(kind)
  if (names === undefined) {
    names = new Set([...kind.columns.flatMap((each) => each.names), ...kind.hidden])
    declared.set(kind, names)
  }
  return names
}

const declared = new WeakMap<Kind, ReadonlySet<string>>()
