import type { DynamicEntity } from '@rowkey/odata'
import { keyCheckOf, type TableService } from '@rowkey/rest'
import type { RowCodec } from '../codec/row-codec.ts'
import { ModelError } from '../errors/model-error.ts'
import { toModel } from '../model/to-model.ts'
import { dynamicParts, modelParts, originOf } from '../table/opened-parts.ts'
import { Table } from '../table/table.ts'
import type { TableOptions } from '../table/table-options.ts'
import type { TableParts } from '../table/table-parts.ts'
import type {
  EntityUnion,
  MemberEntity,
  MemberInput,
  MemberKey,
  UnionMember,
  UnionTypes,
} from './entity-union.ts'
import { TypeFinder } from './type-finder.ts'
import { UnionCodec } from './union-codec.ts'
import { unionQueryModel } from './union-query-model.ts'

/** How the table of a union is opened: as any table, and its name is always given. */
export interface UnionTableOptions extends TableOptions {
  readonly name: string
}

/**
 * A table that holds entities of several types, from {@link Account.table} and {@link union}. What is read
 * is of the type that its row is of, and what is written is written as what it is, in batches too.
 *
 * @example
 * ```ts
 * const store = account.table('store', union(Customer, Order))
 * await store.batch().insert(customer).insert(order).submit()
 * const orders = await store.ofType(Order).query().where({ customerId: 'c1' }).toArray()
 * ```
 */
export class UnionTable<
  Member extends UnionMember,
  Other extends DynamicEntity = never,
> extends Table<MemberEntity<Member> | Other, MemberInput<Member> | Other, MemberKey<Member>> {
  readonly #options: UnionTableOptions
  readonly #union: UnionTypes

  /** @internal */
  constructor(
    service: TableService,
    union: EntityUnion<Member, Other>,
    options: UnionTableOptions,
  ) {
    const finder = new TypeFinder(union, keyCheckOf(service.endpoint))
    const ofObjects: RowCodec<object> = new UnionCodec(finder)
    // Which type an entity is of is known at run time alone.
    const codec = ofObjects as RowCodec<MemberEntity<Member> | Other>
    super({ ...partsOf(service, union, options), codec, queryModel: unionQueryModel(union) })
    this.#options = options
    this.#union = union
  }

  /**
   * The table as one of its types alone sees it: what is read and written is of that type, and queries
   * are for its rows only, by what their keys begin with. Nothing is sent.
   *
   * @param type - a class or model of the union
   * @throws {@link ModelError} when it is none of the union
   *
   * @example
   * ```ts
   * // of key`${'customerId'}` and key`0002_${'orderNo:8'}`
   * store.ofType(Order).query().where({ customerId: 'c1' })
   * // PartitionKey eq 'c1' and RowKey ge '0002_' and RowKey lt '0002`'
   * ```
   */
  ofType<Type extends Member>(
    type: Type,
  ): Table<MemberEntity<Type>, MemberInput<Type>, MemberKey<Type>> {
    const model = toModel(type)
    const known = this.#union.types.find((each) => each.model === model)
    if (known === undefined) {
      const problem = `It is no type of ${this.#union.title}. Add it to the union, or open the table with it.`
      throw new ModelError({ className: model.title, problem })
    }
    const parts = modelParts(this.service, known.model, this.#options)
    return new Table<MemberEntity<Type>, MemberInput<Type>, MemberKey<Type>>(
      parts as typeof parts & { readonly codec: RowCodec<MemberEntity<Type>> }, // the type's own
    )
  }
}

/** What every table is made from, with each type checked as a table of its own would be. */
function partsOf(
  service: TableService,
  union: UnionTypes,
  options: UnionTableOptions,
): Pick<TableParts<object>, 'service' | 'name' | 'origin' | 'scans' | 'tokenSeal'> {
  const [first] = union.types.map(({ model }) => modelParts(service, model, options))
  const { name, scans } = options
  if (union.unknown === 'dynamic') dynamicParts(service, name, options)
  return { service, name, origin: originOf(service, name), scans, tokenSeal: first?.tokenSeal }
}
