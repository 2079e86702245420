import { checkPropertyName, type EdmType } from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'

/** Where one property of a model is stored, and as what. */
export interface QueryColumn {
  /** The property, as the class or model names it: `customerEmailAddress`. */
  readonly property: string
  /** The stored name: `cea`; `PartitionKey` and `RowKey` for the keys. Filters use it. */
  readonly name: string
  /** The stored type, when it is declared; otherwise the type of each operand counts. */
  readonly type: EdmType | undefined
  /**
   * Why conditions cannot use it, and what to do instead, as a sentence; absent when they can. An encrypted property has a reason.
   */
  readonly unfilterable?: string | undefined
  /** Further stored names, when the value is cut into chunks: a projection reads them too. */
  readonly further?: readonly string[] | undefined
  /** Converts an operand before it is compared, when other values are stored. */
  readonly toStored?: ((operand: unknown) => unknown) | undefined
  /**
   * Whether values are stored in one form only, which {@link QueryColumn.toStored} returns, such as text in lower case. Of other
   * forms only equality has a meaning: a prefix or a bound in another form is rejected.
   */
  readonly normal?: boolean | undefined
  /**
   * Returns what entities show when the property is not stored, such as a default of the schema: one value, or in a union one for
   * each type; `undefined` for nothing. Conditions find these entities, too.
   */
  readonly defaults?: (() => readonly unknown[]) | undefined
  /** Converts an operand back, for keys, which have the property's own values. */
  readonly fromStored?: ((stored: unknown) => unknown) | undefined
  /** The property is a part of a key and stored nowhere else: see {@link QueryModel.keys}. */
  readonly inKey?: boolean | undefined
}

/**
 * The facts about entities that a query needs. Mapped classes provide one; any object of this
 * shape will do.
 */
export interface QueryModel {
  /** The name for messages: the class or the table. */
  readonly name: string
  /** The properties that queries can use, for messages; absent without a list. */
  readonly properties?: readonly string[]
  /**
   * Why entities must be read whole, and what to do instead, as a sentence; absent when a query may read
   * only some of their properties. A signed class has a reason.
   */
  readonly wholeOnly?: string | undefined
  /**
   * Stored names that every projection reads beside the keys and the Timestamp. The properties that tell
   * the type or version of a row belong here.
   */
  readonly identity?: readonly string[] | undefined
  /**
   * Finds a property.
   *
   * @param property - the property's name in the class or model
   * @returns `undefined` when the property is not stored
   */
  column(property: string): QueryColumn | undefined
  /** What decides the order of the rows, where another program may change it: continuation tokens belong to it. */
  readonly order?: string | undefined
  /** How properties make up the keys, so that conditions on them become conditions on the keys. */
  readonly keys?: KeyTemplates | undefined
}

/** A {@link QueryModel} of entities without a declaration: every legal name is a property. */
export interface DynamicQueryModel extends QueryModel {
  /** Tells the compiler that properties may have any name. */
  readonly dynamic: true
}

/**
 * Makes the model of a table whose entities have no declaration.
 *
 * `partitionKey`, `rowKey` and `timestamp` are the system properties (their stored spelling works
 * too); every other name is itself. Types come from the operands: a whole number is an Int32, a
 * string is a String. An `EntityProperty` operand has a type of its own. A stored property that is
 * really called `timestamp` in lower case can be reached by a filter node:
 * `comparison('timestamp', 'eq', literalOf(5))`.
 *
 * @param name - the table's name, for messages
 * @returns a model that knows every legal property name; other names throw an InputError with the code
 * `InvalidPropertyName`
 *
 * @example
 * ```ts
 * const query = queryOf(dynamicQueryModel('people')).where({ partitionKey: 'Smith', age: gt(30) })
 * query.compile().filter // PartitionKey eq 'Smith' and age gt 30
 * ```
 */
export function dynamicQueryModel(name: string): DynamicQueryModel {
  return Object.freeze({ name, dynamic: true, column: dynamicColumn })
}

const systemColumns: ReadonlyMap<string, QueryColumn> = new Map(
  (
    [
      { property: 'partitionKey', name: 'PartitionKey', type: 'String' },
      { property: 'rowKey', name: 'RowKey', type: 'String' },
      { property: 'timestamp', name: 'Timestamp', type: 'DateTime' },
    ] satisfies readonly QueryColumn[]
  ).flatMap((column) => [
    [column.property, column],
    [column.name, column],
  ]),
)

function dynamicColumn(property: string): QueryColumn {
  const system = systemColumns.get(property)
  if (system !== undefined) return system
  // A name goes into the filter as it is, so one like `a eq 1 or b` must never get there.
  checkPropertyName(property)
  return { property, name: property, type: undefined }
}

/** One property in a key: how its values are written there, and what that keeps of their order. */
export interface KeyPart {
  /** The property, by the name that filters use. */
  readonly property: string
  /**
   * Writes a value as the key holds it.
   *
   * @throws an InputError when no key can hold the value
   */
  print(value: unknown): string
  /** Whether the texts sort as the values do, or in reverse; absent when they keep no order. */
  readonly order?: 'ascending' | 'descending' | undefined
  /** Whether the text of a value begins with the text of every prefix of the value. */
  readonly prefixes?: boolean | undefined
  /** How many UTF-16 units every text has; absent when they differ. */
  readonly fixedLength?: number | undefined
  /** Whether the property is also stored by itself, under the same name. */
  readonly stored?: boolean | undefined
}

/** The fixed texts and parts of a PartitionKey or RowKey, in their order. */
export interface KeyTemplate {
  /** Strings stand for themselves. A part without a fixed length is last, or before a string. */
  readonly segments: readonly (string | KeyPart)[]
}

/**
 * The templates of an entity's keys. A half is absent where one property is the whole key: conditions
 * then use the key's own name.
 */
export interface KeyTemplates {
  /** The parts of the PartitionKey. */
  readonly partitionKey?: KeyTemplate | undefined
  /** The parts of the RowKey. */
  readonly rowKey?: KeyTemplate | undefined
  /**
   * Whether queries also find rows whose keys are made in other ways. Then only conditions bound the keys.
   *
   * @defaultValue `false`: all keys have what the templates have in common
   */
  readonly hasOthers?: boolean | undefined
}

/** Every projection reads these: they tell which entity a row is, and which version of it. */
const IDENTITY = ['PartitionKey', 'RowKey', 'Timestamp'] as const

/** As many as an entity has properties; the service rejects more. */
const MAX_NAMES = 255

/**
 * Finds a property that a query names.
 *
 * @throws InputError with the code `InvalidQuery` when the model does not store the property
 */
export function resolveColumn(model: QueryModel, property: string): QueryColumn {
  const column = model.column(property)
  if (column !== undefined) return column
  const known = model.properties?.length ? ` It stores: ${model.properties.join(', ')}.` : ''
  throw invalidQuery(`${model.name} does not store a property '${property}'.${known}`, {
    model: model.name,
    property,
  })
}

/**
 * Finds a property that a condition names.
 *
 * @throws InputError with the code `InvalidQuery` when the model does not store the property, or filters
 * cannot compare it
 */
export function resolveFilterColumn(model: QueryModel, property: string): QueryColumn {
  const column = resolveColumn(model, property)
  checkFilterable(model, column)
  return column
}

/**
 * Rejects a property that filters cannot compare.
 *
 * @throws InputError with the code `InvalidQuery`
 */
export function checkFilterable({ name: model }: QueryModel, column: QueryColumn): void {
  const { property, unfilterable } = column
  if (unfilterable === undefined) return
  throw invalidQuery(`Conditions cannot use ${model}.${property}: ${unfilterable}`, {
    model,
    property,
  })
}

/** Returns an operand as it is stored. */
export function storedOperand({ toStored }: QueryColumn, operand: unknown): unknown {
  if (toStored === undefined || operand === null || operand === undefined) return operand
  return toStored(operand)
}

/**
 * Rejects a bound or a prefix in another form than that of stored values, which begin and sort in another way.
 *
 * @throws InputError with the code `InvalidQuery`
 */
export function checkNormal(
  { name: model }: QueryModel,
  { property, toStored }: QueryColumn,
  operand: unknown,
): void {
  const stored = toStored === undefined ? operand : toStored(operand)
  if (stored === operand || (stored instanceof Date && Number(stored) === Number(operand))) return
  throw invalidQuery(
    `${model}.${property} is stored in the form that the schema makes of it, so a range can only begin or end with a value in that form. Pass a value of that form, or test for equality.`,
    { model, property },
  )
}

/** Maps the stored names of a model to its columns; empty where nothing is declared. */
export function columnsByName(model: QueryModel): ReadonlyMap<string, QueryColumn> {
  const columns = new Map<string, QueryColumn>()
  for (const property of model.properties ?? []) {
    const column = model.column(property)
    if (column !== undefined) columns.set(column.name, column)
  }
  return columns
}

/**
 * Lists the stored names that a projection must read, each once.
 *
 * @throws InputError with the code `InvalidQuery` when a property is not stored, the list is empty or too
 * long for the service, or entities must be read whole
 */
export function selectNames(model: QueryModel, properties: readonly string[]): readonly string[] {
  const { name } = model
  if (properties.length === 0) {
    throw invalidQuery(
      `.select() on ${name} needs a property. Name one, or leave .select out to read all properties.`,
      { model: name },
    )
  }
  if (model.wholeOnly !== undefined) {
    throw invalidQuery(`${name} cannot be read with .select: ${model.wholeOnly}`, { model: name })
  }
  const columns = properties.map((property) => resolveColumn(model, property))
  const stored = columns
    .filter((column) => !column.inKey)
    .flatMap((column) => [column.name, ...(column.further ?? [])])
  const names = new Set([...IDENTITY, ...(model.identity ?? []), ...stored])
  if (names.size <= MAX_NAMES) return Object.freeze([...names])
  throw invalidQuery(
    `.select() on ${name} reads ${names.size} stored names, keys and Timestamp included; the service takes ${MAX_NAMES}. Leave .select out to read all properties.`,
    { model: name },
  )
}

/** Returns the template of a key by its stored name; `undefined` where one property is the whole key. */
export function keyTemplateOf({ keys }: QueryModel, name: string): KeyTemplate | undefined {
  if (name === 'PartitionKey') return keys?.partitionKey
  return name === 'RowKey' ? keys?.rowKey : undefined
}
