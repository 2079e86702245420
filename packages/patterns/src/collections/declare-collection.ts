import {
  type Account,
  type EntityModel,
  type MemberEntity,
  ModelError,
  type UnionTable,
  union,
} from '@rowkey/mapper'
import { type CallOptions, callOptions } from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { aModel, anAccount, anEntity, aRecord, aText } from '../errors/rules.ts'

/** The model of one type of a collection. */
export type CollectionModel = EntityModel<object, object, object>

/**
 * The models of a collection, by the names of their types.
 *
 * @example
 * ```ts
 * const models = { departments: Department, employees: Employee }
 * ```
 */
export type CollectionModels = Readonly<Record<string, CollectionModel>>

/**
 * One row of a collection: the name of its type, and its entity.
 *
 * @example
 * ```ts
 * type A = CollectionRow<{ employees: typeof Employee }> // { type: 'employees'; entity: Employee }
 * ```
 */
export type CollectionRow<Models> = {
  [Name in keyof Models & string]: {
    /** The name of the type in the declaration. */
    readonly type: Name
    /** The entity, in the type of its model. */
    readonly entity: MemberEntity<Models[Name]>
  }
}[keyof Models & string]

/**
 * The entities of a partition, by the names of their types.
 *
 * @example
 * ```ts
 * type A = CollectionResult<{ employees: typeof Employee }> // { employees: Employee[] }
 * ```
 */
export type CollectionResult<Models> = {
  [Name in keyof Models & string]: MemberEntity<Models[Name]>[]
}

/**
 * The properties of the PartitionKey, which all models of a collection share. Decorators do not tell the compiler which these are.
 *
 * @example
 * ```ts
 * type A = CollectionPartition<{ employees: typeof Employee }> // { department: string }
 * ```
 */
export type CollectionPartition<Models extends CollectionModels> =
  Models[keyof Models] extends EntityModel<infer _Entity, infer _Input, infer _Key, infer Partition>
    ? Partition
    : object

/** Several types of one partition, from {@link declareCollection}. */
export interface Collection<Models extends CollectionModels> {
  /**
   * Opens a table with these types. Nothing is sent.
   *
   * @param account - the account of the table
   * @param name - the table's name
   */
  on(account: Account, name: string): CollectionTable<Models>
}

/** The collections of one table, from {@link Collection.on}. */
export class CollectionTable<Models extends CollectionModels> {
  /** Reads and writes single entities of all types, also in batches. */
  readonly rows: UnionTable<Models[keyof Models & string]>
  /** The names of the types. */
  readonly #names: ReadonlyMap<object | undefined, string>
  readonly #partitionKey: CollectionModel['partitionKey']

  /** @internal */
  constructor(models: Models, account: Account, name: string) {
    const [first, ...others] = Object.values(models)
    // declareCollection checks that there is a first one.
    const own = union(first as CollectionModel, ...others)
    this.rows = account.table(name, own) as UnionTable<Models[keyof Models & string]>
    this.#names = new Map(Object.entries(models).map(([each, model]) => [model, each]))
    this.#partitionKey = (first as CollectionModel).partitionKey
  }

  /**
   * Reads all entities of a partition by one query, and sorts them by their types. Entities of one type come in the order of their
   * RowKeys.
   *
   * @param partition - the properties of the PartitionKey
   *
   * @example
   * ```ts
   * const { departments, employees } = await office.on(account, 'staff').read({ department: 'Sales' })
   * ```
   */
  async read(
    partition: CollectionPartition<Models>,
    options: CallOptions = {},
  ): Promise<CollectionResult<Models>> {
    const found = new Map(Array.from(this.#names.values(), (name) => [name, [] as object[]]))
    for await (const { type, entity } of this.query(partition, options)) {
      found.get(type)?.push(entity)
    }
    return Object.fromEntries(found) as CollectionResult<Models>
  }

  /**
   * Reads the entities of a partition one after another, in the order of their RowKeys, with the names of their types.
   *
   * @param partition - the properties of the PartitionKey
   *
   * @example
   * ```ts
   * for await (const { type, entity } of table.query({ department: 'Sales' })) {
   *   if (type === 'employees') console.log(entity.lastName)
   * }
   * ```
   */
  async *query(
    partition: CollectionPartition<Models>,
    options: CallOptions = {},
  ): AsyncGenerator<CollectionRow<Models>, void, undefined> {
    callOptions.check(options, 'a read of a collection')
    checkArgument(anEntity, partition, 'The partition of a collection')
    // Cosmos DB does not sort rows, and `inPartitions` does.
    const all = this.rows.query().inPartitions([this.#partitionKey.print(partition)])
    const { mapping } = this.rows.parts
    for await (const entity of all.rows(options)) {
      const type = this.#names.get(mapping.modelOf?.(entity))
      yield { type, entity } as CollectionRow<Models>
    }
  }
}

/**
 * Declares a collection: several types of entities under one PartitionKey, which one query reads together, such as a
 * department and its employees. The result has an array for each type.
 *
 * The beginnings of the RowKeys tell the types apart, or a discriminator does.
 *
 * @param models - the models by the names of their types. They have the same PartitionKey
 * @throws ModelError when the PartitionKeys differ; `on` throws when a row could be of two types
 *
 * @example
 * ```ts
 * const office = declareCollection({ departments: Department, employees: Employee })
 * const { departments, employees } = await office.on(account, 'staff').read({ department: 'Sales' })
 * ```
 */
export function declareCollection<const Models extends CollectionModels>(
  models: Models,
): Collection<Models> {
  checkArgument(aRecord, models, 'declareCollection')
  const all = Object.values(models)
  for (const model of all) checkArgument(aModel, model, 'declareCollection')
  const [first] = all
  const other = all.find((each) => String(each.partitionKey) !== String(first?.partitionKey))
  if (first !== undefined && other === undefined) {
    return {
      on(account, name) {
        checkArgument(anAccount, account, 'a collection')
        checkArgument(aText, name, 'The table name of a collection')
        return new CollectionTable(models, account, name)
      },
    }
  }
  const problem =
    other === undefined
      ? 'A collection needs at least one model.'
      : `Its PartitionKey ${other.partitionKey} differs from ${first?.partitionKey} of ${first?.title}, and a collection lies in one partition. Use the same template.`
  throw new ModelError({ className: other?.title ?? '', problem })
}
