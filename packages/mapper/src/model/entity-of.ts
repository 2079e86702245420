import type { EntityModel } from './entity-model.ts'

/**
 * What an entity of a model is, once it was read or written.
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
 * What may be given to be written as an entity of a model.
 *
 * @example
 * ```ts
 * type NewOrder = InputOf<typeof Order> // { id: string; lines?: number }
 * ```
 */
export type InputOf<Model> =
  Model extends EntityModel<infer _Entity, infer Input, infer _Key> ? Input : never
