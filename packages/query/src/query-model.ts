import type { EdmType } from '@rowkey/odata'
import type { KeyTemplates } from './key/key-template.ts'

/** Where one property of a model is stored, and as what. */
export interface QueryColumn {
  /** The property, as the class or model names it: `customerEmailAddress`. */
  readonly property: string
  /** The name it is stored under and filtered by: `cea`; `PartitionKey` and `RowKey` for the keys. */
  readonly name: string
  /** The stored type, when it is declared; else each operand's own type counts. */
  readonly type: EdmType | undefined
  /**
   * Why no condition can be put on it, and what to do instead, as a sentence; absent when one can. An
   * encrypted property has such a reason.
   */
  readonly unfilterable?: string | undefined
  /** Further names that the property is stored under, when it is cut: a projection asks for them too. */
  readonly further?: readonly string[] | undefined
  /** What an operand is made into before it is compared, when other values are stored. */
  readonly toStored?: ((operand: unknown) => unknown) | undefined
  /** The property is a part of a key and stored nowhere else: see {@link QueryModel.keys}. */
  readonly inKey?: boolean | undefined
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
   * Why entities must be read whole, and what to do instead, as a sentence; absent when some of their
   * properties can be read alone. A signed class has such a reason.
   */
  readonly wholeOnly?: string | undefined
  /**
   * Stored names that every projection reads beside the keys and the Timestamp; absent when there are
   * none. What says of which type or version a row is belongs here.
   */
  readonly identity?: readonly string[] | undefined
  /**
   * Finds a property.
   *
   * @param property - the property's name in the class or model
   * @returns `undefined` when the property is not stored
   */
  column(property: string): QueryColumn | undefined
  /** How properties make the keys, so that conditions on them become conditions on the keys. */
  readonly keys?: KeyTemplates | undefined
}

/** A {@link QueryModel} of entities that nobody declared: every legal name is a property. */
export interface DynamicQueryModel extends QueryModel {
  /** Tells the compiler that properties may have any name. */
  readonly dynamic: true
}
