import {
  anything,
  type DeclaredOptions,
  type DynamicEntity,
  declareOptions,
  rule,
} from '@rowkey/odata'
import {
  type DynamicShape,
  type EntityResolver,
  type PropertyOf,
  type QueryShape,
  resolverRule,
} from '@rowkey/query'
import { type CallOptions, callOptions } from '@rowkey/rest'

/**
 * The properties that queries of a table can use: any name for a DynamicEntity, and the common properties
 * for several types.
 *
 * @example
 * ```ts
 * type A = TableShape<{ id: string; name: string } | { id: string; no: number }> // { id: string }
 * ```
 */
export type TableShape<Entity> = [Entity] extends [DynamicEntity]
  ? DynamicShape
  : QueryShape<Exclude<Entity, DynamicEntity>>

/** The options of reading some properties of an entity. */
export interface SelectOptions<Name extends string = string> extends CallOptions {
  /**
   * The properties to read, as the class names them. PartitionKey, RowKey, Timestamp and ETag are
   * always read with them, so that the entity can still be merged or deleted.
   */
  readonly select: readonly [Name, ...Name[]]
}

/** The options of reading an entity as another value. */
export interface ResolveOptions<Result> extends CallOptions {
  /** Makes the result from the parts of the entity; its return value is passed on as it is. */
  readonly resolve: EntityResolver<Result>
  /** The properties to read, as the class names them; all when absent. */
  readonly select?: readonly [string, ...string[]] | undefined
}

/** The options that any read of one entity accepts. */
export type AnyReadOptions = Partial<ResolveOptions<unknown>>

/**
 * The key of a read. When `Options` is text, a caller gave the key as two arguments, and the compiler shows how to give
 * it.
 *
 * @example
 * ```ts
 * type A = OneKey<{ timeout: number }, EntityTarget> // EntityTarget
 * ```
 */
export type OneKey<Options, Target> = Options extends string ? KeyRule : Target

/** The rule for keys, which the compiler shows to a caller who gave a key as two arguments. No key is this text. */
export type KeyRule =
  'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key'

/**
 * The options of a read in any form; text stays as it is, for {@link OneKey}.
 *
 * @example
 * ```ts
 * type A = NoText<'Jeff', Customer> // 'Jeff'
 * ```
 */
export type NoText<Options, Entity> = Options extends string
  ? Options
  : SelectOptions<PropertyOf<TableShape<Entity>>> | ResolveOptions<unknown> | CallOptions

export const readOptions: DeclaredOptions<AnyReadOptions> = declareOptions<AnyReadOptions>({
  ...callOptions.rules,
  select: rule('an array', Array.isArray),
  resolve: resolverRule,
})

/** The options of reading several entities by their keys. */
export interface ManyOptions extends CallOptions {
  /**
   * How many reads may be pending at once: fewer while the service throttles.
   *
   * @defaultValue the level of the account, from 8 to 64
   */
  readonly concurrency?: number | undefined
}

export const manyOptions: DeclaredOptions<ManyOptions> = declareOptions<ManyOptions>({
  ...callOptions.rules,
  concurrency: anything,
})
