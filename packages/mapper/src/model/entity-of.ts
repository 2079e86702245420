import type { EntityClass } from './entity-class.ts'
import type { EntityModel, KeyMembers } from './entity-model.ts'

/**
 * The entities of a model, as they are read and as they are after a write.
 *
 * @example
 * ```ts
 * const Order = defineEntity({ … schema: z.object({ id: z.string(), lines: z.int32().default(1) }) })
 * type Order = EntityOf<typeof Order> // { id: string; lines: number }
 * ```
 */
export type EntityOf<Model> =
  Model extends EntityModel<infer Entity, infer _Input, infer _Key> ? Entity : never

/**
 * The objects that can be written as entities of a model: properties with a default are optional.
 *
 * @example
 * ```ts
 * type NewOrder = InputOf<typeof Order> // { id: string; lines?: number }
 * ```
 */
export type InputOf<Model> =
  Model extends EntityModel<infer _Entity, infer Input, infer _Key> ? Input : never

/** One type of a union: a decorated class, or a model from {@link defineEntity}. */
export type UnionMember = EntityClass<object> | EntityModel<object, object, object>

/**
 * The first argument of `account.table`: itself when it opens a table, else the sentence that the compiler shows.
 *
 * @example
 * ```ts
 * type A = TableGiven<typeof Customer> // typeof Customer
 * ```
 */
export type TableGiven<Given> = Given extends string | UnionMember
  ? Given
  : 'Pass a decorated class such as Customer, a model from defineEntity, or the name of a table'

/**
 * The entities of a class or a model, as they are read and as they are after a write.
 *
 * @example
 * ```ts
 * type A = MemberEntity<typeof Customer> // Customer
 * ```
 */
export type MemberEntity<Member> =
  Member extends EntityModel<infer Entity, infer _Input, infer _Key>
    ? Entity
    : Member extends EntityClass<infer Entity>
      ? Entity
      : never

/**
 * The objects that can be written as entities of a class or a model: properties with a default are
 * optional.
 *
 * @example
 * ```ts
 * type A = MemberInput<typeof Order> // { id: string; lines?: number }
 * ```
 */
export type MemberInput<Member> =
  Member extends EntityModel<infer _Entity, infer Input, infer _Key>
    ? Input
    : Member extends EntityClass<infer Entity>
      ? Entity
      : never

/**
 * The properties that name an entity of a class or a model.
 *
 * @example
 * ```ts
 * type A = MemberKey<typeof Order> // { customerId: string; orderNo: number }
 * ```
 */
export type MemberKey<Member> =
  Member extends EntityModel<infer _Entity, infer _Input, infer Key>
    ? Key
    : Member extends EntityClass<infer Entity>
      ? KeyMembers<Entity>
      : never
