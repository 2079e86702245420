import type { EdmType } from '@rowkey/odata'

/** Where one property of a model is stored, and as what. */
export interface QueryColumn {
  /** The property, as the class or model names it: `customerEmailAddress`. */
  readonly property: string
  /** The name it is stored under and filtered by: `cea`; `PartitionKey` and `RowKey` for the keys. */
  readonly name: string
  /** The stored type, when it is declared; else each operand's own type counts. */
  readonly type: EdmType | undefined
}

/**
 * What a query must know about the entities it asks for. Mapped classes give one; any object of this
 * shape will do.
 */
export interface QueryModel {
  /** What messages call the model: the class or the table. */
  readonly name: string
  /** The properties that can be queried, for messages; left out where there is no list. */
  readonly properties?: readonly string[]
  /**
   * Finds a property.
   *
   * @param property - the property's name in the class or model
   * @returns `undefined` when the property is not stored
   */
  column(property: string): QueryColumn | undefined
}

/** A {@link QueryModel} of entities that nobody declared: every legal name is a property. */
export interface DynamicQueryModel extends QueryModel {
  /** Tells the compiler that properties may have any name. */
  readonly dynamic: true
}
